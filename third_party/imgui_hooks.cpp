// Dear ImGui is compiled once, with the test engine's hooks, so that the tests drive the objects that the program
// ships. The program has no test engine: there these functions do nothing. In a test, the engine's own functions
// replace them.
#include "imgui.h"
#include "imgui_internal.h"

__attribute__((weak)) void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&,
                                                       const ImGuiLastItemData*) {}
__attribute__((weak)) void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*, ImGuiItemStatusFlags) {}
__attribute__((weak)) void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
__attribute__((weak)) const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
  return nullptr;
}
