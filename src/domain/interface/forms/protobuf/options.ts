/** Options that say how code is made or written down, and nothing about what is sent. */
const WITHOUT_MEANING = new RegExp(
  `\\b(?:${[
    'json_name|deprecated|packed|lazy|unverified_lazy|ctype|jstype|debug_redact|retention|targets|allow_alias',
    'java_package|java_outer_classname|java_multiple_files|java_generate_equals_and_hash|java_string_check_utf8',
    'go_package|csharp_namespace|objc_class_prefix|swift_prefix|ruby_package|optimize_for|cc_enable_arenas',
    'php_class_prefix|php_namespace|php_metadata_namespace|cc_generic_services|java_generic_services|py_generic_services',
  ].join('|')}) = (?:"(?:[^"\\\\]|\\\\.)*"|[\\w.-]+)`,
  'g',
)

export const JSON_NAME = /\bjson_name = ("(?:[^"\\]|\\.)*")/

/** What is left of options when those without meaning are taken away; their order says nothing. */
export const textOf = (written: readonly string[]): string =>
  written
    .filter((text) => text !== '')
    .map((text) => withoutEnds(text.replaceAll(WITHOUT_MEANING, '')))
    .map((text) => (text.replaceAll(/\boption\b|[\s;]/g, '') === '' ? '' : text))
    .filter((text) => text !== '')
    .sort()
    .join('; ')

/** Without what stands around options. Not by a pattern, which would look at a long row of commas once for each. */
function withoutEnds(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && '[{ ,'.includes(text.charAt(start))) start++
  while (end > start && ']} ,;'.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
