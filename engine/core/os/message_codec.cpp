#include "core/os/message_codec.h"

namespace lanescope {

Message packed(const Wording& wording) {
  Message list = Message::array();
  list.push_back(std::string(wording));
  list.push_back(wording.pattern());
  for (const Wording& value : wording.values()) list.push_back(packed(value));
  return list;
}

Wording unpacked(const Message& message) {
  std::vector<Wording> values;
  for (std::size_t i = 2; i < message.size(); ++i) values.push_back(unpacked(message.at(i)));
  return {message.at(0).get<std::string>(), message.at(1).get<std::string>(), std::move(values)};
}

}  // namespace lanescope
