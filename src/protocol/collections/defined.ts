/** The fields without those that are undefined: what nobody gave is absent, also in JSON. */
export const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined>
  }
