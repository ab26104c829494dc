"""The networks that ship, one folder each: model.onnx, model.toml and MODEL_CARD.md."""
