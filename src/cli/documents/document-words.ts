export const DOCUMENT_WORD = {
  '<file>': 'OpenAPI 3.0 or 3.1, AsyncAPI 2 or 3, JSON Schema (JSON or YAML), .graphql or .proto',
} as const
export const SELECT = {
  '--select <name...>': "only what is called so, * for anything: 'GET /users/*'",
} as const
