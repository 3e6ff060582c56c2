/** What is used of undici, by name: from a bundle, an import of the package itself would have no names. */
export { Agent, buildConnector, Client } from 'undici'
