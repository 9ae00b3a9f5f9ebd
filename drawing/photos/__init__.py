"""The ten photos of the default pack, rendered: ``python -m drawing.photos [NAME…] --out DIR``."""

__all__ = ["PHOTOS"]

from collections.abc import Callable, Mapping

from drawing.photos.alpine_meadow import alpine_meadow
from drawing.photos.autumn_hills import autumn_hills
from drawing.photos.city_skyline import city_skyline
from drawing.photos.desert_dunes import desert_dunes
from drawing.photos.dusk_street import dusk_street
from drawing.photos.forest_path import forest_path
from drawing.photos.market_table import market_table
from drawing.photos.mountain_lake import mountain_lake
from drawing.photos.rocky_coast import rocky_coast
from drawing.photos.snowy_village import snowy_village

#: What builds each photo's scene.
PHOTOS: Mapping[str, Callable[[], None]] = {
    "mountain-lake": mountain_lake,
    "dusk-street": dusk_street,
    "alpine-meadow": alpine_meadow,
    "forest-path": forest_path,
    "desert-dunes": desert_dunes,
    "rocky-coast": rocky_coast,
    "market-table": market_table,
    "snowy-village": snowy_village,
    "autumn-hills": autumn_hills,
    "city-skyline": city_skyline,
}
