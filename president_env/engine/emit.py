"""Functions whose compiled form is written out, as LLVM code, beside the plain one that says what they do."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

BYTE, WORD = ir.IntType(8), ir.IntType(64)


def compile_to(function: Callable[..., Any], result: types.Type, emit: Callable[..., Any]) -> None:
    """Let compiled code that calls the function have what `emit(builder, *values)` builds; arrays come as pointers."""

    @infer_global(function)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result, *(types.int64 if isinstance(kind, types.Integer) else kind for kind in args))

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[attr-defined]
    def _lowered(context: Any, builder: Any, called: Any, values: Any) -> Any:
        given = list(values)
        for k, kind in enumerate(called.args):
            if isinstance(kind, types.Array):
                first = context.make_array(kind)(context, builder, given[k]).data
                given[k] = builder.bitcast(first, BYTE.as_pointer())
        built = emit(builder, *given)
        return context.get_dummy_value() if result is types.void else built
