"""Lanescope from Python: run CUDA kernels without a GPU, and see what each warp instruction does.

    import lanescope
    stride = lanescope.run("coalescing", "stride", set={"stride": 8})
    stride["global_load.sectors_per_request"].value     # 32.0
    stride                                              # in a notebook: its numbers and pictures

    lanescope.compare("coalescing", "stride", "packed4").ratio("global_load.sectors")
    lanescope.trace(code=source, grid=(2,), block=(64,), args=["f32[100]=iota", "i32=100"])

The work is done by the program `lanescope` that came with this package; these functions start it and read its JSON.
"""
from ._calls import compare, run, trace
from ._program import LanescopeError, program_path, version
from ._results import Buffer, Check, Comparison, Diagnostic, Launch, Number, Picture, Ratio, Run, Site

__all__ = ["Buffer", "Check", "Comparison", "Diagnostic", "LanescopeError", "Launch", "Number", "Picture", "Ratio", "Run", "Site",
           "compare", "program_path", "run", "trace", "version"]
