/**
 * What the Agent API document demands, in our words, and what its real clients need besides; cited as
 * `[agentapi-stream-1]` by the tests.
 */
export const AGENT_API_REQUIREMENTS = {
  'agentapi-role-1': 'Messages are of the roles assistant, user and system, and of tool',
  'agentapi-type-1': 'A message may be of any of the thirteen types, and of types that came later',
  'agentapi-status-1': 'A response goes from created over in_progress to completed, or ends as failed',
  'agentapi-status-2': 'What is refused before it starts is a response with the status rejected',
  'agentapi-status-3':
    'What is canceled ends as failed with the code CANCELED, since readers hang on canceled',
  'agentapi-tools-1':
    'A tool has a type, which may be missing, and a function with name, description, parameters',
  'agentapi-tools-2': 'The parameters of a function are of the type object',
  'agentapi-tools-3': 'Tool definitions reach the agent',
  'agentapi-call-1': 'A call has call_id, name and arguments, which are text',
  'agentapi-call-2': 'The output of a call has the call_id of the call, and text',
  'agentapi-content-1': 'A content has type, object content, index, delta and the id of its message',
  'agentapi-content-2': 'Text, image and data contents carry text, image_url and data; so do the later types',
  'agentapi-message-1': 'A message has an id msg_ and a UUID, object message, type, status, role and content',
  'agentapi-request-1': 'A request has a list of input messages, and streams unless it says otherwise',
  'agentapi-request-2': 'The generation parameters are taken and reach the agent',
  'agentapi-request-3': 'n is from 1 to 5, of which only 1 is done here',
  'agentapi-request-4': 'stop is a text or a list of them',
  'agentapi-request-5': 'session_id and response_id may be given',
  'agentapi-response-1':
    'A response has id response_ and a UUID, object response, both times, error, output, usage',
  'agentapi-response-2': 'Times are whole seconds: of this response, and not of the start of the process',
  'agentapi-response-3': 'A response names its session',
  'agentapi-response-4': 'The last event has the usage',
  'agentapi-error-1': 'An error has a code and a message, both text',
  'agentapi-stream-1': 'Text comes in contents with delta true, each with the index of its slot',
  'agentapi-stream-2': 'The last content of a slot is completed and has the whole text',
  'agentapi-stream-3': 'Response and message are told as completed in the end, with all they have',
  'agentapi-order-1': 'Sequence numbers count 0, 1, 2 over all events',
  'agentapi-session-1': 'A session goes on: the agent hears what was said before',
  'agentapi-frame-1':
    'Every event is one line `data: ` and JSON, with line feeds, and nothing else is in the stream',
} as const
