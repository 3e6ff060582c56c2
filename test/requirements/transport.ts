/** What the Coreason transport document demands, in our words; cited as `[transport-request-1]` by the tests. */
export const TRANSPORT_REQUIREMENTS = {
  'transport-endpoint-1': 'Requests are posted to /v1/assist; other verbs are refused',
  'transport-request-1': 'The body must be a JSON object of the AgentRequest shape, sent as application/json',
  'transport-request-2': 'What the shape has no word for is ignored; what is wrong is refused by name',
  'transport-lineage-1': 'A request without ancestors is its own root; a parent without a root is refused',
  'transport-mode-1': 'The delivery mode of the capability chooses between one JSON answer and a stream',
  'transport-mode-2': 'A reader that says in Accept what it wants gets that instead',
  'transport-capability-1':
    'Capabilities are configured, and listed in the card with mode, inputs and outputs',
  'transport-response-1': 'The JSON answer is an object that matches the outputs of the capability',
  'transport-stream-1': 'The stream is text/event-stream, and each of its events wraps a CloudEvent 1.0',
  'transport-stream-2': 'The name of an event is the type of its CloudEvent, and its id is unique',
  'transport-stream-3':
    'The data of an event must be one JSON text of the CloudEvent, whatever the answer holds',
  'transport-stream-4': 'datacontenttype says how to read the data',
  'transport-stream-5':
    'A stream begins with started, goes on with chunks, and ends with completed and its summary',
  'transport-error-1': 'A failure before the first byte is a status with JSON; after it, a last event',
  'transport-error-2': 'Errors tell nothing of the inside: no stack, no snapshot of the input',
  'transport-replay-1': 'Whoever comes back with Last-Event-ID gets exactly the rest',
  'transport-openapi-1': 'The contract is published as a valid OpenAPI document',
  'transport-openapi-2': 'It has both media types of the answer, and the bodies of errors',
} as const
