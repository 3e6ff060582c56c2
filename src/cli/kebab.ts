/** `askQuestion` and `source_agent` as a command line writes them. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`).replaceAll('_', '-')
