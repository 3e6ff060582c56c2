import { z } from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json.ts'
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
    'Share something with the other repositories of a project. Content by type: question {question, options?, urgent?}; decision {decision, chosen, rationale, implications?}, which closes the question it replies to; code_snippet {language, file, snippet, explanation?}; type_definition {language, definitions, note?}; the others are free. Answer a question with replyTo and any type.',
  hints: ADDS,
  input: z.strictObject({
    projectId,
    type: ContextType,
    content: FreeObject,
    replyTo: z.string().optional().describe('the packet it answers: its id, or what the question asks'),
    relatedContracts: z.array(z.string()).optional(),
  }),
  example: {
    projectId: EXAMPLE_PROJECT,
    type: 'question',
    content: { question: 'JWT or session cookies?', options: ['JWT', 'cookies'] },
  },
  run: async ({ projectId, type, content, replyTo, relatedContracts }, { call, signal }) => {
    const about: JsonObject = {
      projectId,
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(relatedContracts === undefined ? {} : { relatedContracts }),
    }
    const method = METHODS[type]
    const { packetId } =
      method === undefined
        ? await call('cacp/context/share', { ...about, type, content }, { signal })
        : await call(method, { ...content, ...about }, { signal })
    return lines(
      `packet ${packetId} shared`,
      type === 'question'
        ? `next: wait ${JSON.stringify({ until: { question: { projectId, packetId } } })}`
        : undefined,
    )
  },
})
