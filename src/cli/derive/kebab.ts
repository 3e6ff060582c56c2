/** `askQuestion` and `source_agent` as a command line writes them. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`).replaceAll('_', '-')

/** Of groups whose command has another name than their methods. */
const GROUP_NAMES: Readonly<Record<string, string>> = { peer: 'peers', run: 'runs' }

/** The group and the verb that a method is called by: `cacp/contract/get` is `contract get`. */
export function commandOf(method: string): readonly [group: string, verb: string] {
  const [group = '', verb = ''] = method.split(/[/.]/).slice(-2).map(kebab)
  return [GROUP_NAMES[group] ?? group, verb]
}
