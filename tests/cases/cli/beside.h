constexpr float beside = 2.5f;
