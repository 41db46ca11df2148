"""libpq through ctypes: the calls that a client of the schema needs, and no package.

Parameters are binary, with their types; results are text, or binary where a caller asks.
"""
import ctypes
import ctypes.util
import struct

_name = ctypes.util.find_library("pq") or "libpq.so.5"
try:
    lib = ctypes.CDLL(_name)
except OSError:
    lib = None

INT4, INT8, BYTEA, TEXT = 23, 20, 17, 25
ARRAYS = {INT4: 1007, INT8: 1016, BYTEA: 1001, TEXT: 1009}
FATAL, OK_TUPLES, OK_COMMAND = 7, 2, 1

if lib:
    for function, result, arguments in [
        ("PQconnectdb", ctypes.c_void_p, [ctypes.c_char_p]),
        ("PQstatus", ctypes.c_int, [ctypes.c_void_p]),
        ("PQerrorMessage", ctypes.c_char_p, [ctypes.c_void_p]),
        ("PQfinish", None, [ctypes.c_void_p]),
        ("PQexec", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]),
        ("PQsendQueryParams", ctypes.c_int, [
            ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p,
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]),
        ("PQgetResult", ctypes.c_void_p, [ctypes.c_void_p]),
        ("PQenterPipelineMode", ctypes.c_int, [ctypes.c_void_p]),
        ("PQpipelineSync", ctypes.c_int, [ctypes.c_void_p]),
        ("PQresultStatus", ctypes.c_int, [ctypes.c_void_p]),
        ("PQresultErrorField", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_int]),
        ("PQresultErrorMessage", ctypes.c_char_p, [ctypes.c_void_p]),
        ("PQntuples", ctypes.c_int, [ctypes.c_void_p]),
        ("PQnfields", ctypes.c_int, [ctypes.c_void_p]),
        ("PQgetisnull", ctypes.c_int, [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]),
        ("PQgetlength", ctypes.c_int, [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]),
        ("PQgetvalue", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]),
        ("PQclear", None, [ctypes.c_void_p]),
    ]:
        call = getattr(lib, function)
        call.restype, call.argtypes = result, arguments


class Failed(Exception):
    """An error of the server, with its SQLSTATE; or a lost connection, with an empty one."""

    def __init__(self, state, message):
        super().__init__(message)
        self.state = state


def int4(value):
    return INT4, struct.pack(">i", value)


def int8(value):
    return INT8, struct.pack(">q", value)


def bytea(value):
    return BYTEA, bytes(value)


def text(value):
    return TEXT, value.encode()


def array(kind, values):
    """A one-dimensional array of int4, int8, bytea or text."""
    encode = {INT4: int4, INT8: int8, BYTEA: bytea, TEXT: text}[kind]
    if not values:
        return ARRAYS[kind], struct.pack(">iii", 0, 0, kind)
    parts = [struct.pack(">iiiii", 1, 0, kind, len(values), 1)]
    for value in values:
        data = encode(value)[1]
        parts += [struct.pack(">i", len(data)), data]
    return ARRAYS[kind], b"".join(parts)


def integers(text):
    """The numbers of an array in text form; None for null."""
    return [None if n == "NULL" else int(n) for n in text[1:-1].split(",") if n]


class Connection:
    def __init__(self, address):
        self.handle = lib.PQconnectdb(address.encode())
        if lib.PQstatus(self.handle) != 0:
            message = self.message()
            self.close()
            raise Failed("", message)
        self.in_pipeline = False

    def message(self):
        return (lib.PQerrorMessage(self.handle) or b"").decode(errors="replace").strip()

    def close(self):
        if self.handle:
            lib.PQfinish(self.handle)
            self.handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def run(self, script):
        """Runs a script without parameters, on a connection that has had no other statement."""
        result = lib.PQexec(self.handle, script.encode())
        try:
            self.check(result)
        finally:
            lib.PQclear(result)

    def check(self, result):
        if not result:
            raise Failed("", self.message())
        status = lib.PQresultStatus(result)
        if status == FATAL:
            state = lib.PQresultErrorField(result, ord("C")) or b""
            raise Failed(state.decode(), lib.PQresultErrorMessage(result).decode().strip())
        return status

    def rows(self, result, binary):
        def value(row, column):
            if lib.PQgetisnull(result, row, column):
                return None
            size = lib.PQgetlength(result, row, column)
            data = ctypes.string_at(lib.PQgetvalue(result, row, column), size)
            return data if binary else data.decode()
        width = lib.PQnfields(result)
        return [[value(row, n) for n in range(width)] for row in range(lib.PQntuples(result))]

    def query(self, sql, *parameters, binary=False):
        """Runs a statement; returns its rows."""
        return self.pipeline([(sql, parameters)], binary)[0]

    def pipeline(self, statements, binary=False):
        """Sends statements at once, in one transaction unless they begin one; returns their rows.

        Statements are unnamed, because a pooler may give each transaction another session.
        """
        if not self.in_pipeline:
            self.sent(lib.PQenterPipelineMode(self.handle))
            self.in_pipeline = True
        for sql, parameters in statements:
            types = (ctypes.c_uint * len(parameters))(*[kind for kind, _ in parameters])
            values = (ctypes.c_char_p * len(parameters))(*[data for _, data in parameters])
            lengths = (ctypes.c_int * len(parameters))(*[len(data) for _, data in parameters])
            forms = (ctypes.c_int * len(parameters))(*[1] * len(parameters))
            self.sent(lib.PQsendQueryParams(
                self.handle, sql.encode(), len(parameters), types, values, lengths, forms,
                int(binary)))
        return self.answers(len(statements), binary)

    def answers(self, count, binary):
        """Ends a pipeline of so many statements, and returns the rows of each; raises its error."""
        self.sent(lib.PQpipelineSync(self.handle))
        answers, failure = [], None
        for number in range(count + 1):
            result = lib.PQgetResult(self.handle)
            try:
                if self.check(result) in (OK_TUPLES, OK_COMMAND):
                    answers.append(self.rows(result, binary))
            except Failed as error:
                failure = failure or error
                if not result or not error.state:
                    raise failure
            finally:
                lib.PQclear(result)
            if number < count:
                lib.PQclear(lib.PQgetResult(self.handle))
        if failure:
            raise failure
        return answers

    def sent(self, is_sent):
        if not is_sent:
            raise Failed("", self.message())
