// The program uses ImPlot's axes and draws its own marks. ImPlot's items (implot_items.cpp: templates that take longer
// to compile than the rest of it) are therefore not built. Without items there are no item colours to reset.
namespace ImPlot {
void BustItemCache();
void BustItemCache() {}
}  // namespace ImPlot
