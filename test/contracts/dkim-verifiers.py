"""Verifies the DKIM signatures of messages with two programs: dkimpy, and the library of opendkim-testmsg.

Usage: dkim-verifiers.py FOLDER. The folder has `keys` (lines of a name, a blank and its TXT record) and messages `*.eml`.
Prints one JSON object: for each program the results by file, a list of `selector pass` or `selector fail`.
"""

import ctypes
import ctypes.util
import json
import pathlib
import sys

import dkim

folder = pathlib.Path(sys.argv[1])
keys = dict(line.split(" ", 1) for line in (folder / "keys").read_text().splitlines())
messages = {path.name: path.read_bytes() for path in sorted(folder.glob("*.eml"))}


def look_up(name, timeout=5):
    return keys.get(name.decode().rstrip("."), "").encode()


def by_dkimpy(message):
    verifier = dkim.DKIM(message, minkey=1024)
    signatures = [value for name, value in verifier.headers if name.lower() == b"dkim-signature"]
    results = []
    for index, value in enumerate(signatures):
        selector = dkim.util.parse_tag_value(value)[b"s"].decode()
        try:
            passed = dkim.DKIM(message, minkey=1024).verify(idx=index, dnsfunc=look_up)
        except dkim.DKIMException:
            passed = False
        results.append(f"{selector} {'pass' if passed else 'fail'}")
    return results


class OpenDkim:
    """The functions of libopendkim with which opendkim-testmsg verifies; keys come from a file instead of the DNS."""

    SET, QUERY_METHOD, QUERY_INFO, QUERY_FILE = 1, 6, 7, 1
    PASSED, BODY_MATCH = 0x04, 0

    def __init__(self, key_file):
        name = ctypes.util.find_library("opendkim")
        if name is None:
            raise SystemExit("libopendkim is missing")
        self.lib = lib = ctypes.CDLL(name)
        lib.dkim_init.restype = ctypes.c_void_p
        lib.dkim_init.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        lib.dkim_verify.restype = ctypes.c_void_p
        lib.dkim_verify.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
        lib.dkim_options.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
        lib.dkim_chunk.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        lib.dkim_eom.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        lib.dkim_getsiglist.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        lib.dkim_sig_process.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        lib.dkim_sig_getflags.argtypes = [ctypes.c_void_p]
        lib.dkim_sig_getflags.restype = ctypes.c_uint
        lib.dkim_sig_getbh.argtypes = [ctypes.c_void_p]
        lib.dkim_sig_getselector.argtypes = [ctypes.c_void_p]
        lib.dkim_sig_getselector.restype = ctypes.c_char_p
        lib.dkim_free.argtypes = [ctypes.c_void_p]
        self.handle = lib.dkim_init(None, None)
        method = ctypes.c_int(self.QUERY_FILE)
        path = ctypes.create_string_buffer(str(key_file).encode())
        lib.dkim_options(self.handle, self.SET, self.QUERY_METHOD, ctypes.byref(method), ctypes.sizeof(method))
        lib.dkim_options(self.handle, self.SET, self.QUERY_INFO, path, len(path.value))

    def verify(self, message):
        lib, status = self.lib, ctypes.c_int(0)
        one = lib.dkim_verify(self.handle, b"test", None, ctypes.byref(status))
        lib.dkim_chunk(one, message, len(message))
        lib.dkim_chunk(one, None, 0)
        lib.dkim_eom(one, None)
        found, count = ctypes.POINTER(ctypes.c_void_p)(), ctypes.c_int(0)
        lib.dkim_getsiglist(one, ctypes.byref(found), ctypes.byref(count))
        results = []
        for index in range(count.value):
            signature = found[index]
            lib.dkim_sig_process(one, signature)
            passed = lib.dkim_sig_getflags(signature) & self.PASSED and lib.dkim_sig_getbh(signature) == self.BODY_MATCH
            results.append(f"{lib.dkim_sig_getselector(signature).decode()} {'pass' if passed else 'fail'}")
        lib.dkim_free(one)
        return results


opendkim = OpenDkim(folder / "keys")
print(
    json.dumps(
        {
            "dkimpy": {name: by_dkimpy(message) for name, message in messages.items()},
            "opendkim": {name: opendkim.verify(message) for name, message in messages.items()},
        }
    )
)
