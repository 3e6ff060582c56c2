/** This program is `<root>/ui/assets/app-<build>.js`: from there it knows where its daemon is, and which build it is. */
const [, root = '', build = ''] = /^(.*)\/ui\/assets\/app-([^/]+)\.js/.exec(import.meta.url) ?? []

/** The address of the daemon, without a slash at the end. */
export const ROOT: string = root
/** The path of the pages, with a slash at the end. */
export const PAGES: string = `${root.replace(/^[a-z]+:\/\/[^/]*/, '')}/ui/`
/** The name of this build; the daemon tells another one after it was updated. */
export const BUILD: string = build
