import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { Fault } from '../../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { ContextType } from '../../protocol/words.ts'
import { lines } from '../text.ts'
import { ADDS, tool } from '../tool.ts'
import { EXAMPLE_PROJECT, projectId } from './ids.ts'

/** Types whose content has fields of its own, and the method that checks them. */
const METHODS: Partial<Record<ContextType, string>> = {
  question: 'cacp/context/askQuestion',
  decision: 'cacp/context/recordDecision',
  code_snippet: 'cacp/context/shareCode',
  type_definition: 'cacp/context/shareTypes',
}

export const contextShare = tool({
  name: 'context_share',
  title: 'Ask, answer, decide or share',
  description:
    'Share something with the other repositories of a project. Content by type: question {question, options?, urgent?}; decision {decision, chosen, rationale, implications?}, which closes the question it replies to; code_snippet {language, file, snippet, explanation?}; type_definition {language, definitions, note?}; the others are free, such as dependency_info {message}. Answer a question with replyTo and any type.',
  hints: ADDS,
  input: z.strictObject({
    projectId,
    type: ContextType,
    content: FreeObject,
    replyTo: z.string().optional().describe('the packet it answers: its id, or what the question asks'),
    relatedContracts: z.array(z.string()).optional(),
    to: z.array(z.string()).optional().describe('repos that get it into their inbox; of free types only'),
  }),
  example: {
    projectId: EXAMPLE_PROJECT,
    type: 'question',
    content: { question: 'JWT or session cookies?', options: ['JWT', 'cookies'] },
  },
  run: async ({ projectId, type, content, replyTo, relatedContracts, to }, { call }) => {
    const about: JsonObject = { projectId, ...defined({ replyTo, relatedContracts }) }
    const method = METHODS[type]
    if (method !== undefined && to !== undefined)
      throw new Fault('invalid_params', `to: a ${type} is for all repositories`, {
        next: 'Leave to out, or tell it as type dependency_info with content {message}',
      })
    const { packetId } =
      method === undefined
        ? await call('cacp/context/share', { ...about, type, content, ...defined({ to }) })
        : await call(method, { ...content, ...about })
    return lines(
      `packet ${packetId} shared`,
      type === 'question' && `next: wait ${JSON.stringify({ until: { question: { projectId, packetId } } })}`,
    )
  },
})
