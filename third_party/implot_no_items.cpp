// The program takes ImPlot's axes and draws its own marks, so ImPlot's items (implot_items.cpp: templates that take
// longer to compile than all else of it) are not built. Without items there are no colours of theirs to forget.
namespace ImPlot {
void BustItemCache();
void BustItemCache() {}
}  // namespace ImPlot
