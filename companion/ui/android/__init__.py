"""The phone's own parts, behind the interfaces of companion.ui.camera and companion.ui.system."""
