// Texture and surface objects, lane by lane. These accesses are not requests of global memory: on a GPU the texture
// path has requests of its own, which are not counted here.

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/worded.h"
#include "sim/memory/texture_filter.h"
#include "sim/memory/written_map.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

bool Worker::texture_fault(const TextureOp&, int lane, const char* code, const Wording& what, Wording cure) {
  fail(current(), code, worded("{}: {}", who(lane), what), std::move(cure));
  return false;
}

// The object that a lane names. nullptr and a fault if it does not exist or does not support this instruction.
const TextureObject* Worker::texture_of(const TextureOp& op, int lane) {
  using Op = TextureOp::Kind;
  const std::uint64_t handle = read_slot(registers_ + op.handle, lane, 8);
  const auto found = context_.textures.find(handle);
  const bool wants_surface = op.kind == Op::surface_load || op.kind == Op::surface_store;
  if (found == context_.textures.end()) {
    texture_fault(op, lane, "texture.no_object", worded("0x{:x} is not a texture or surface object", handle),
                  "Pass an object that cudaCreateTextureObject() or cudaCreateSurfaceObject() made.");
    return nullptr;
  }
  const TextureObject& object = found->second;
  const TextureDescription& of = object.description;
  if (op.kind == Op::query) {
    if (!of.cube || op.query != TextureOp::Query::layers) return &object;
    texture_fault(
        op, lane, "texture.cube_query",
        worded("the number of layers of {}, a cube map, is asked for, and what a GPU answers is not documented",
               object.name),
        "Pass the number of layers as an argument of the kernel.");
    return nullptr;
  }
  if (of.surface != wants_surface) {
    texture_fault(op, lane, "texture.wrong_kind",
                  of.surface ? worded("{} is a surface object, but a texture is fetched from", object.name)
                             : worded("{} is a texture object, but a surface is accessed", object.name),
                  "Textures are read by tex…(), surfaces by surf…read() and surf…write().");
    return nullptr;
  }
  if (of.cube != op.cube && !wants_surface) {
    texture_fault(op, lane, "texture.wrong_shape",
                  op.cube ? worded("a direction is fetched from {}, which is not a cube map", object.name)
                          : worded("{} is a cube map, but it is not fetched by a direction", object.name),
                  "Cube maps are made with cudaArrayCubemap and read by texCubemap() or texCubemapLayered().");
    return nullptr;
  }
  if (of.levels > 1 && op.kind == Op::gather) {
    texture_fault(
        op, lane, "texture.gathered_level",
        worded("four texels are gathered from {}, a mipmap, and CUDA does not say from which level", object.name),
        "Fetch them one by one with tex2DLod().");
    return nullptr;
  }
  const bool layers = op.cube ? of.layered_cube : of.layers != 0;
  const bool same_shape = (op.cube || of.dimensions() == op.dimensions) && layers == op.layered &&
                          (wants_surface || of.linear_memory == op.integer);
  if (!same_shape) {
    texture_fault(
        op, lane, "texture.wrong_shape",
        worded("a fetch of {} dimension{}{}{} from {}, which has {}{}{}", op.dimensions, op.dimensions == 1 ? "" : "s",
               op.layered ? " with layers" : "", !wants_surface && op.integer ? " by an integer (tex1Dfetch)" : "",
               object.name, op.cube ? 3 : of.dimensions(), layers ? " with layers" : "",
               of.linear_memory ? " and lies in linear memory" : ""),
        "Use the function for the object's shape: tex1Dfetch() for linear memory, tex2D() for two dimensions, "
        "tex2DLayered() for layers.");
    return nullptr;
  }
  if (!wants_surface && of.gives_floats() != op.floats) {
    texture_fault(op, lane, "texture.wrong_type",
                  of.gives_floats() ? worded("integers are fetched from {}, which gives floats", object.name)
                                    : worded("floats are fetched from {}, which gives integers", object.name),
                  "Use the object's type as the template argument, or cudaReadModeNormalizedFloat for floats of an "
                  "integer texture.");
    return nullptr;
  }
  return &object;
}

// In remarks_, of a fetch, beside that of its site.
std::uint32_t Worker::key_of(const TextureOp& op) const {
  return static_cast<std::uint32_t>(&op - frame_->code->textures.data()) | 0x80000000u;
}

void Worker::remark_outside(const TextureOp& op, const TextureObject& object, int lane) {
  const std::uint32_t key = key_of(op);
  if (remarks_.contains(key)) return;
  remarks_[key] = {block_->index,
                   {Severity::warning, "texture.outside", context_.place(current()),
                    worded("{}: tex1Dfetch() reads outside of {}, which has {} texels: the value is 0 here, on a GPU "
                           "nothing promises it",
                           who(lane), object.name, object.description.extent[0]),
                    "Check the index against the number of elements before the fetch."}};
}

void Worker::remark_edge(const TextureOp& op, const TextureObject& object, int lane) {
  const std::uint32_t key = key_of(op);
  if (remarks_.contains(key)) return;
  remarks_[key] = {block_->index,
                   {Severity::note, "texture.cube_edge", context_.place(current()),
                    worded("{}: a fetch from {} reaches the edge of a face, where CUDA does not say which texels it "
                           "reads: here those that an H200 reads, on another GPU perhaps others",
                           who(lane), object.name),
                    "Keep directions half a texel away from the edges, or expect other values there on another GPU."}};
}

void Worker::remark_gradients(const TextureOp& op, const TextureObject& object, int lane) {
  const std::uint32_t key = key_of(op);
  if (remarks_.contains(key)) return;
  remarks_[key] = {block_->index,
                   {Severity::note, "texture.gradients", context_.place(current()),
                    worded("{}: a fetch from {} by two gradients that are not along two axes; CUDA does not say which "
                           "level follows from them: here that of the longer one, on a GPU perhaps another",
                           who(lane), object.name),
                    "Compute the level and fetch with tex…Lod(), or expect other values on a GPU."}};
}

// Of a mipmap, in 256ths.
int Worker::level_of(const TextureOp& op, const TextureObject& object, int lane) {
  const auto number = [&](std::uint32_t slot) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(read_slot(registers_ + slot, lane, 4)));
  };
  if (!op.by_gradients)
    return level_for(object.description, op.level == 0 ? std::nullopt : std::optional(number(op.level)));
  std::array<std::array<float, 3>, 2> gradient{};
  for (std::size_t i = 0; i < gradient.size(); ++i)
    for (std::size_t axis = 0; axis < op.dimensions; ++axis) gradient[i][axis] = number(op.gradient[i][axis]);
  bool certain = true;
  const int level = level_for_gradients(object.description, gradient[0], gradient[1], certain);
  if (!certain) remark_gradients(op, object, lane);
  return level;
}

// False on a fault.
bool Worker::unwritten_texel(const TextureOp& op, const TextureObject& object, int lane, const TexelPlace& place) {
  const bool goes_on = context_.request.unwritten_is_a_warning;
  if (goes_on && remarks_.contains(op.site)) return true;
  texture_fault(
      op, lane, "memory.uninitialised",
      worded("a texel of {} is fetched that was never written: ({}, {}, {})", object.name, place.x, place.y, place.z),
      "Write the element first, or give the texture contents.");
  if (!goes_on) return false;
  fault_->severity = Severity::warning;
  remarks_[op.site] = {block_->index, *std::move(fault_)};
  fault_.reset();
  return true;
}

// False on a fault.
bool Worker::fetch_texel(const TextureOp& op, const TextureObject& object, int lane) {
  const TextureDescription& of = object.description;
  std::array<float, 3> coordinate{};
  std::array<std::int64_t, 3> index{};
  for (std::size_t axis = 0; axis < op.dimensions; ++axis) {
    const auto bits = static_cast<std::uint32_t>(read_slot(registers_ + op.coordinate[axis], lane, 4));
    coordinate[axis] = std::bit_cast<float>(bits);
    index[axis] = static_cast<std::int32_t>(bits);
  }
  const std::int64_t layer = op.layered ? static_cast<std::int64_t>(read_slot(registers_ + op.layer, lane, 4)) : 0;
  Footprint footprint;
  if (op.kind == TextureOp::Kind::gather) {
    add_gathered(footprint, of, coordinate, layer);
  } else if (op.integer) {
    const bool inside = index[0] >= 0 && index[0] < of.extent[0];
    footprint.add(inside ? std::optional(TexelPlace{index[0], 0, 0}) : std::nullopt, 256);
    if (!inside) remark_outside(op, object, lane);
  } else if (op.cube) {
    if (!add_cube_footprint(footprint, of, coordinate, layer)) remark_edge(op, object, lane);
  } else if (of.levels > 1) {
    add_footprint_of_mipmap(footprint, of, coordinate, layer, level_of(op, object, lane));
  } else {
    add_footprint(footprint, of, coordinate, layer);
  }
  for (int i = 0; i < footprint.parts && object.written != nullptr; ++i) {
    const Footprint::Part& part = footprint.part[static_cast<std::size_t>(i)];
    if (part.inside && !object.written->any(object.written_from + offset_of(of, part), of.texel_bytes()) &&
        !unwritten_texel(op, object, lane, part.place))
      return false;
  }
  Texel texel{};
  if (op.kind == TextureOp::Kind::gather) {
    for (std::size_t i = 0; i < texel.size(); ++i) texel[i] = texel_at(of, object.data, footprint.part[i])[op.channel];
  } else if (op.integer && !footprint.part[0].inside) {
    texel = {};
  } else {
    texel = filtered(of, object.data, footprint);
  }
  for (std::size_t i = 0; i < op.values; ++i)
    write_number(registers_ + op.value[i] + static_cast<std::uint32_t>(lane) * op.register_bytes,
                 std::min<std::uint32_t>(op.register_bytes, 4), texel[i]);
  return true;
}

// The bytes that a lane accesses. nullptr if they are outside (`outside`) or after a fault.
std::byte* Worker::place_in_surface(const TextureOp& op, const TextureObject& object, int lane, bool& outside) {
  const TextureDescription& of = object.description;
  const std::int64_t bytes = std::int64_t{op.value_bytes} * op.values;
  // The position of the first byte along x, and the last valid position along each axis.
  std::array<std::int64_t, 3> at{};
  std::array<std::int64_t, 3> last{static_cast<std::int64_t>(of.extent[0] * of.texel_bytes()) - bytes,
                                   static_cast<std::int64_t>(of.rows()) - 1,
                                   static_cast<std::int64_t>(of.slices()) - 1};
  for (std::size_t axis = 0; axis < op.dimensions; ++axis)
    at[axis] = static_cast<std::int32_t>(read_slot(registers_ + op.coordinate[axis], lane, 4));
  if (op.layered) at[2] = static_cast<std::int32_t>(read_slot(registers_ + op.layer, lane, 4));
  if (at[0] % bytes != 0) {
    texture_fault(op, lane, "memory.misaligned",
                  worded("an access of {} bytes to {} at byte {} of a row, which is not a multiple of {}", bytes,
                         object.name, at[0], bytes),
                  "The x of a surface is in bytes: multiply the index by the size of an element.");
    return nullptr;
  }
  for (std::size_t axis = 0; axis < at.size(); ++axis) outside |= at[axis] < 0 || at[axis] > last[axis];
  if (outside && op.outside == TextureOp::Outside::zero) return nullptr;
  if (outside && op.outside == TextureOp::Outside::trap) {
    texture_fault(
        op, lane, "memory.out_of_bounds",
        worded("an access to byte {} of row {}, slice {} is outside of {}, which has {} bytes per row, {} "
               "row{} and {} slice{}",
               at[0], at[1], at[2], object.name, of.extent[0] * of.texel_bytes(), of.rows(), of.rows() == 1 ? "" : "s",
               of.slices(), of.slices() == 1 ? "" : "s"),
        "Check the coordinates before the access, or pass cudaBoundaryModeZero or cudaBoundaryModeClamp. The x "
        "of a surface is in bytes.");
    return nullptr;
  }
  for (std::size_t axis = 0; axis < at.size(); ++axis)
    at[axis] = std::clamp<std::int64_t>(at[axis], 0, std::max<std::int64_t>(last[axis], 0));
  return object.data +
         (static_cast<std::uint64_t>(at[2]) * of.rows() + static_cast<std::uint64_t>(at[1])) * of.pitch() +
         static_cast<std::uint64_t>(at[0]);
}

bool Worker::access_surface(const TextureOp& op, const TextureObject& object, int lane) {
  bool outside = false;
  std::byte* const place = place_in_surface(op, object, lane, outside);
  if (fault_) return false;
  const bool stores = op.kind == TextureOp::Kind::surface_store;
  const std::uint64_t bytes = std::uint64_t{op.value_bytes} * op.values;
  const auto offset = place == nullptr ? 0 : static_cast<std::uint64_t>(place - object.data);
  if (place != nullptr && object.written != nullptr) {
    if (stores)
      object.written->mark(object.written_from + offset, bytes);
    else if (!object.written->any(object.written_from + offset, bytes))
      return texture_fault(op, lane, "memory.uninitialised",
                           worded("{} bytes of {} are read that were never written", bytes, object.name),
                           "Write the element first, or give the surface contents.");
  }
  for (std::size_t i = 0; i < op.values; ++i) {
    std::byte* const slot = registers_ + op.value[i] + static_cast<std::uint32_t>(lane) * op.register_bytes;
    if (stores) {
      if (place != nullptr) std::memcpy(place + i * op.value_bytes, slot, op.value_bytes);
      continue;
    }
    std::memset(slot, 0, op.register_bytes);
    if (place != nullptr) std::memcpy(slot, place + i * op.value_bytes, op.value_bytes);
  }
  return true;
}

void Worker::answer_query(const TextureOp& op, const TextureObject& object, int lane) {
  const TextureDescription& of = object.description;
  using Query = TextureOp::Query;
  const std::uint32_t answer = op.query == Query::width    ? of.extent[0]
                               : op.query == Query::height ? of.extent[1]
                               : op.query == Query::depth  ? of.extent[2]
                               : op.query == Query::layers ? of.layers
                                                           : std::uint32_t{of.normalized_coordinates};
  std::memcpy(registers_ + op.value[0] + static_cast<std::uint32_t>(lane) * op.register_bytes, &answer, 4);
}

// Notes all of a texture in global memory as read, for the comparison with other workers: a block that stores there by
// pointer must not run in parallel with this.
void Worker::note_texture(const TextureObject& object) {
  if (std::ranges::find(noted_textures_, &object) != noted_textures_.end()) return;
  noted_textures_.push_back(&object);
  const std::byte* const end = object.data + object.description.bytes();
  for (const Region& region : context_.memory.regions()) {
    if (region.data == nullptr || end <= region.data || object.data >= region.data + region.bytes) continue;
    const std::byte* const from = std::max<const std::byte*>(object.data, region.data);
    const std::byte* const to = std::min<const std::byte*>(end, region.data + region.bytes);
    sets_->mark(AccessSets::Use::read, region, region.address + static_cast<std::uint64_t>(from - region.data),
                static_cast<std::uint64_t>(to - from));
  }
}

template <Mode mode>
bool Worker::texture(const Operation& operation, std::uint32_t active) {
  const TextureOp& op = frame_->code->textures[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (!guarded_event<mode>(op.site, active, executed)) return false;
  const TextureObject* object = nullptr;  // the previous lane's; mostly all lanes use the same one
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    if (object == nullptr || object->handle != read_slot(registers_ + op.handle, lane, 8)) {
      object = texture_of(op, lane);
      if (object == nullptr) return false;
      if (sets_ != nullptr && object->in_global_memory) note_texture(*object);
    }
    switch (op.kind) {
      case TextureOp::Kind::fetch:
      case TextureOp::Kind::gather:
        if (!fetch_texel(op, *object, lane)) return false;
        break;
      case TextureOp::Kind::surface_load:
      case TextureOp::Kind::surface_store:
        if (!access_surface(op, *object, lane)) return false;
        break;
      case TextureOp::Kind::query:
        answer_query(op, *object, lane);
        break;
    }
  }
  if (mode != Mode::plain && executed != 0) {
    static constexpr std::uint32_t key = 0xffffffffu;  // one for all sites
    if (!remarks_.contains(key))
      remarks_[key] = {
          block_->index,
          {Severity::note, "count.texture", context_.place(current()),
           "texture and surface accesses are not among the requests, sectors and bytes, and are not checked "
           "for races: a GPU counts them separately",
           ""}};
  }
  return true;
}

template bool Worker::texture<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::texture<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::texture<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
