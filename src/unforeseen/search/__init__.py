"""How latents are optimised. A search never knows which attack it serves."""
