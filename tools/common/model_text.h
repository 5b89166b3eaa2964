// SPDX-License-Identifier: MIT
// Takes a text such as "king:W0=6,scale=2" apart into the name of a model and its parameters.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace g6tools {

// What is wrong with the text of a model, for the user.
class ModelError : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

class ModelText {
public:
    explicit ModelText(const std::string &text);

    const std::string &name() const { return name_; }
    // The value of a parameter, which must lie between the limits; fallback: where the text has
    // none.  Removes the parameter from the list.
    double number(const std::string &key, double fallback, double least, double most);
    bool has(const std::string &key) const { return values_.count(key) > 0; }
    std::string word(const std::string &key, const std::string &fallback);
    // Throws where parameters are left in the list.  known: those that the model has, for the text.
    void finish(const std::string &known) const;

private:
    std::string name_;
    std::map<std::string, std::string> values_;
};

}  // namespace g6tools
