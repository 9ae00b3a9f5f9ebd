"""``FILE.pt2``: programs that ``torch.export`` wrote, pictures in [0, 1] → logits.

Loading one runs what it holds, as with any program: the user who typed its name trusts it.
"""

__all__ = ["load_exported"]

import importlib
import importlib.util
import zipfile
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.export import ExportedProgram

from unforeseen.errors import ModelError, first_line
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.files import check_model_file, quiet
from unforeseen.models.fingerprint import fingerprint_of_bytes
from unforeseen.uri import Uri

_HOW = (
    "torch.export.export(model.eval(), (torch.rand(2, 3, height, width),), "
    'dynamic_shapes=({0: torch.export.Dim("batch")},))'
)


def load_exported(uri: Uri, device: torch.device) -> DifferentiableClassifier:
    """Loads a program that was saved with ``torch.export.save``.

    Normalisation must be part of the program.

    Raises:
        ModelError: The file isn't such a program, or one that can't serve: exported in training
            mode, with a fixed batch size, or with other than one input and one output.
        UserError: Any option.
    """
    uri.expect_options([])
    path = check_model_file(uri.path, "a program that torch.export.save wrote")
    program = _read(path)
    batch, classes = _shapes(program, path)
    if isinstance(batch, int):
        raise ModelError(
            f"{path}: the program takes exactly {batch} pictures at a time. Export it with a "
            f"dynamic batch dimension: {_HOW}"
        )
    if _trains(program):
        raise ModelError(
            f"{path}: the program was exported in training mode (batch statistics or dropout are "
            f"part of it). Export it in evaluation mode: {_HOW}"
        )
    card = ModelCard(
        uri=uri.text, fingerprint=fingerprint_of_bytes(path.read_bytes()), classes=classes
    )
    return DifferentiableClassifier(_module_on(device, program), card, device)


def _read(path: Path) -> ExportedProgram:
    names = _names_in(path)
    if not any(name.endswith(".json") for name in names):
        raise ModelError(
            f"{path}: expected a program that torch.export.save wrote, got "
            + ("another archive" if names else "something else")
            + ". A checkpoint with weights only is named timm:ARCHITECTURE?checkpoint=FILE."
        )
    try:
        with quiet("torch.export"):
            return torch.export.load(path)
    except Exception as error:  # torch raises many types here, also for other versions' files
        raise ModelError(
            f"{path}: torch {torch.__version__} can't load this program: {type(error).__name__}: "
            f"{first_line(error)} Export it again with this release of torch."
        ) from error


def _names_in(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except zipfile.BadZipFile:
        return []


def _shapes(program: ExportedProgram, path: Path) -> tuple[object, int | None]:
    """The input's batch size (an int if it is fixed) and the number of classes if it is fixed."""
    nodes = {node.name: node for node in program.graph.nodes}
    inputs = program.graph_signature.user_inputs
    outputs = program.graph_signature.user_outputs
    if len(inputs) != 1 or len(outputs) != 1:
        raise ModelError(
            f"{path}: expected a program with one input (pictures) and one output (logits), got "
            f"{len(inputs)} and {len(outputs)}."
        )
    pictures, logits = (
        nodes[name].meta.get("val") if name in nodes else None
        for name in (str(inputs[0]), str(outputs[0]))
    )
    if not (isinstance(pictures, Tensor) and pictures.ndim == 4):
        raise ModelError(f"{path}: expected a program that takes pictures (B, 3, H, W).")
    classes = logits.shape[-1] if isinstance(logits, Tensor) and logits.ndim == 2 else None
    return pictures.shape[0], classes if isinstance(classes, int) else None


def _trains(program: ExportedProgram) -> bool:
    """Whether any operation (batch_norm, dropout …) has its ``training`` argument set."""
    return any(
        argument.name in ("train", "training") and value is True
        for node in program.graph.nodes
        if isinstance(node.target, torch._ops.OpOverload)  # noqa: SLF001 – has no public name
        for argument, value in zip(
            node.target._schema.arguments,  # noqa: SLF001 – has no public name
            node.args,
            strict=False,  # arguments at their defaults are left out
        )
    )


def _module_on(device: torch.device, program: ExportedProgram) -> nn.Module:
    # Constants inside the program stay behind when a module is moved. Older releases of torch
    # lack the pass that moves them too.
    if device.type != "cpu" and importlib.util.find_spec("torch.export.passes") is not None:
        passes = importlib.import_module("torch.export.passes")
        program = passes.move_to_device_pass(program, str(device))
    return program.module()
