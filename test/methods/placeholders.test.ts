import { expect, test } from 'vitest'
import { openDesk, openFeature } from '../support/desk/desk.ts'

const refusing = (field: string) => ({
  kind: 'invalid_params',
  message: `Invalid params: ${field}: … stands there for your own text`,
  next: 'Put your own text there instead of …, and call it again',
  data: { field },
})

test.each([
  ['cacp/contract/propose', { type: 'custom', name: 'A', content: { '…': 'the whole content' } }, 'content'],
  ['cacp/contract/propose', { type: 'custom', name: '…', content: {} }, 'name'],
  ['cacp/context/recordDecision', { decision: 'JWT?', chosen: 'JWT', rationale: '…' }, 'rationale'],
  ['cacp/context/share', { type: 'dependency_info', content: { answer: '…' } }, 'content.answer'],
  ['cacp/context/askQuestion', { question: 'Which?', options: ['JWT', '…'] }, 'options.1'],
  ['cacp/file/share', { file: { name: 'a.txt', content: '…' } }, 'file.content'],
])('%s refuses what an advice left to be written: %j', async (method, params, field) => {
  await using desk = await openDesk()
  const { projectId } = await openFeature(desk)
  await expect(desk.send(method, { projectId, ...params })).rejects.toMatchObject(refusing(field))
})

test('text in which something is left out is nobody’s placeholder', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const content = { example: 'GET /users/… → 200', '…/users': ['a', '… and so on'] }
  await backend('cacp/contract/propose', { projectId, type: 'custom', name: 'Users…', content })
})
