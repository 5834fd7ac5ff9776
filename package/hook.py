"""What python-for-android calls while it packs: the manifest gets the one thing that buildozer.spec can't say.

python-for-android loads this file by itself, so it uses the standard library only.
"""

from __future__ import annotations

from pathlib import Path

MANIFEST = Path("src/main/AndroidManifest.xml")
PROVIDER = """
        <provider android:name="androidx.core.content.FileProvider"
                  android:authorities="${applicationId}.files"
                  android:exported="false"
                  android:grantUriPermissions="true">
            <meta-data android:name="android.support.FILE_PROVIDER_PATHS" android:resource="@xml/file_paths" />
        </provider>
"""
_END = "</application>"


def with_provider(manifest: str) -> str:
    """The manifest with our FileProvider: other apps get files of ours through it, and only those handed over."""
    if PROVIDER in manifest:
        return manifest
    if manifest.count(_END) != 1:
        raise ValueError("AndroidManifest.xml has no single </application>: python-for-android changed its template")
    return manifest.replace(_END, f"{PROVIDER}    {_END}")


def before_apk_assemble(_toolchain: object) -> None:
    """The manifest is written, Gradle not yet started; the working folder is the Android project."""
    MANIFEST.write_text(with_provider(MANIFEST.read_text(encoding="utf-8")), encoding="utf-8")
