#!/usr/bin/env python3
"""The window's fonts for a wheel: subsets of Debian's, with their licences.   fonts.py DEBIAN_ROOT TARGET

Latin faces keep all characters and lose what the window does not use (kerning, alternates, hints). Chinese keeps the characters
of GB 2312, which covers simplified text, and all others that the program shows, collected from the sources. Fails if no font
has one of them.
"""
import pathlib
import shutil
import sys
import unicodedata

from fontTools import subset
from fontTools.ttLib import TTFont

TOP = pathlib.Path(__file__).resolve().parent.parent
LATIN = ["opentype/inter/Inter-Regular.otf", "opentype/inter/Inter-Medium.otf", "opentype/inter/Inter-SemiBold.otf",
         "opentype/inter/Inter-Bold.otf", "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
         "truetype/jetbrains-mono/JetBrainsMono-SemiBold.ttf"]
CHINESE = [("opentype/noto/NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf"),
           ("opentype/noto/NotoSansCJK-Bold.ttc", "NotoSansCJKsc-Bold.otf")]
SIMPLIFIED = 2  # faces of the collection: JP, KR, SC, TC, HK
LICENCES = ["fonts-inter", "fonts-jetbrains-mono", "fonts-noto-cjk"]
SHOWN = ["engine/**/*.cpp", "engine/**/*.h", "engine/**/*.def", "app/**/*.cpp", "app/**/*.h", "app/**/*.def", "lessons/**/*"]


def shown_characters():
    found = set()
    for pattern in SHOWN:
        for path in TOP.glob(pattern):
            if path.is_file():
                found |= set(path.read_text(encoding="utf-8"))
    return found


def gb2312():
    found = set()
    for high in range(0xA1, 0xF8):
        for low in range(0xA1, 0xFF):
            try:
                found.add(bytes((high, low)).decode("gb2312"))
            except UnicodeDecodeError:
                pass
    return found


def options(number=-1):
    chosen = subset.Options()
    chosen.layout_features = []
    chosen.hinting = False
    chosen.desubroutinize = False
    chosen.name_IDs = ["*"]  # including copyright and licence
    chosen.notdef_outline = True
    chosen.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG", "DSIG", "kern"]
    chosen.font_number = number
    return chosen


def write(source, target, characters, number=-1):
    font = subset.load_font(str(source), options(number))
    wanted = set(font.getBestCmap()) if characters is None else {ord(c) for c in characters} & set(font.getBestCmap())
    subsetter = subset.Subsetter(options(number))
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    subset.save_font(font, str(target), options(number))
    font.close()
    return {chr(code) for code in TTFont(target).getBestCmap()}


def main(debian, target):
    fonts = debian / "usr/share/fonts"
    target.mkdir(parents=True)
    shown = shown_characters()
    has = {}
    for name in LATIN:
        has[name] = write(fonts / name, target / pathlib.Path(name).name, None)
    chinese = {c for c in shown | gb2312() if ord(c) >= 0x80}
    for collection, name in CHINESE:
        has[name] = write(fonts / collection, target / name, chinese, SIMPLIFIED)
    for package in LICENCES:
        shutil.copy(debian / "usr/share/doc" / package / "copyright", target / f"{package}.copyright")
    # Marks that no face has are drawn as shapes, or are only in comments. A missing letter or Chinese character would
    # leave a gap.
    missing = [c for c in sorted(shown - has[LATIN[0]] - has[CHINESE[0][1]]) if unicodedata.category(c)[0] == "L"]
    if missing:
        print("no font has: " + " ".join(f"{c} (U+{ord(c):04X})" for c in missing), file=sys.stderr)
        return 1
    size = sum(file.stat().st_size for file in target.iterdir())
    print(f"fonts: {len(shown)} characters are shown, {len(has[CHINESE[0][1]])} in Chinese, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
