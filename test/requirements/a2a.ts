/** What A2A 0.3 and 1.0 demand of an agent over JSON-RPC, in our words; cited as `[a2a-send-1]` by the tests. */
export const A2A_REQUIREMENTS = {
  'a2a-card-1': 'The card is at /.well-known/agent-card.json, for readers of both versions, without a key',
  'a2a-card-2':
    'The card names interfaces with their version, capabilities, skills, modes, security and extensions',
  'a2a-version-1': 'The A2A-Version header names the version; without it 0.3 is spoken',
  'a2a-version-2': 'A version that is not spoken is refused with -32009 and the versions that are',
  'a2a-method-1': 'Version 0.3 has message/send, message/stream, tasks/get, tasks/cancel, tasks/resubscribe',
  'a2a-method-2':
    'Version 1.0 has SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask',
  'a2a-method-3': 'A method that the version does not have is refused with -32601',
  'a2a-send-1': 'A message starts a task, and the answer waits for its end',
  'a2a-send-2':
    'Whoever wants the answer at once gets the task as it is then (returnImmediately, blocking: false)',
  'a2a-send-3': 'The same message is the same task, however often and in whichever version it is sent',
  'a2a-send-4': 'A message with wrong or missing fields is refused with -32602, which names the field',
  'a2a-send-5':
    'A message for a task that does not exist is refused with -32001, for one that ended with -32004',
  'a2a-context-1': 'A task without a context opens one; tasks of one context know what was said before in it',
  'a2a-stream-1': 'A stream is events of JSON-RPC answers with the id of the call',
  'a2a-stream-2': 'A stream begins with the task, goes on with updates, and closes with the end of the task',
  'a2a-stream-3': 'Pieces of an artifact are marked with append, and the last one with lastChunk',
  'a2a-stream-4': 'The task goes on when the reader of its stream leaves',
  'a2a-subscribe-1': 'A subscription begins with the task as it is and tells what comes after',
  'a2a-subscribe-2': 'A subscription to a task that has ended is refused with -32004 in 1.0',
  'a2a-task-1': 'A task has id, context, status with state and time, artifacts and history',
  'a2a-task-2': 'historyLength bounds the history: 0 leaves it out, N keeps the newest N',
  'a2a-task-3': 'A task that does not exist, or is not the asker’s, is refused with -32001',
  'a2a-cancel-1': 'A task at work can be canceled',
  'a2a-cancel-2': 'A task that has ended cannot be canceled: -32002',
  'a2a-list-1': 'Tasks are listed newest status first, in pages, by context, state and time',
  'a2a-list-2': 'Artifacts are listed only where asked for',
  'a2a-push-1': 'Push notifications are not offered; whatever concerns them is refused with -32003',
  'a2a-extended-1': 'There is no extended card: -32007 in 0.3, -32004 in 1.0',
  'a2a-error-1':
    'Errors of 1.0 have a list of details with ErrorInfo: reason, domain a2a-protocol.org, metadata',
  'a2a-error-2': 'No error tells of the inside',
  'a2a-batch-1': 'Calls of CACP and A2A go together in a batch; a stream has no place in one: -32004',
} as const satisfies Record<string, string>
