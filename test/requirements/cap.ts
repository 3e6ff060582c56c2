/** What the Coreason CAP wire format demands, in our words; cited as `[cap-request-1]` by the tests. */
export const CAP_REQUIREMENTS = {
  'cap-request-1': 'A ServiceRequest has a request_id that is a UUID, a context and a payload',
  'cap-request-2': 'The context has a session id, the user with id and name, and at will the agent',
  'cap-request-3': 'The payload has a query; files, conversation, session and meta have defaults',
  'cap-request-4': 'Files are references: they are handed on and never fetched',
  'cap-request-5': 'The lineage in the payload is kept, and a parent without a root is refused',
  'cap-response-1':
    'A ServiceResponse has the request_id, when it was completed in UTC, and the output as an object',
  'cap-response-2': 'It has metrics such as duration and tokens, or no such key',
  'cap-packet-1': 'A packet has an op, which is delta, event, error or close, and a payload typed by it',
  'cap-packet-2': 'A delta is text, an event an object, an error a StreamError',
  'cap-packet-3': 'A stream ends with exactly one close, whose payload is null',
  'cap-error-1': 'A StreamError has code, message, severity transient or fatal, and at will details',
  'cap-health-1':
    'The health has a status of ok, degraded or maintenance, an agent id that is a UUID, version and uptime',
  'cap-chat-1': 'A ChatMessage has a role of four, content, at will name and tool_call_id, and a time',
  'cap-chat-2': 'What was said in a conversation is found by its id',
  'cap-citation-1': 'A citation has uri, text and at will two indices',
  'cap-artifact-1': 'An artifact has an id, a mime type and at will a url',
  'cap-usererror-1': 'A user_error has a message, at will a code, a domain of five and whether to retry',
} as const
