import type { JsonObject } from '../../protocol/json/json.ts'
import { CACP_EXTENSION } from './extension.ts'
import { A2A_VERSIONS, type A2aVersion } from './versions.ts'

interface CardOf {
  readonly repo: string
  readonly role: string
  readonly language: string
  readonly agentId: string
  readonly endpoint: string
  readonly version: string
  /** What anybody who may call can ask for. */
  readonly workTypes: readonly string[]
  readonly isOpen: boolean
}

interface Skill {
  readonly name: string
  readonly description: string
  readonly examples?: readonly string[]
}

/** All but the first are asked for by their id, as `workType` in the metadata of a message. */
const SKILLS: Readonly<Record<string, Skill>> = {
  answer_question: {
    name: 'Answer a question',
    description: 'Answers from the projects, contracts and context of this repository, with its sources',
    examples: ['What is the status of the project?', 'Which contracts are still being negotiated?'],
  },
  summarize_project: {
    name: 'Summarise a project',
    description: 'Tells the state of a project: its objective, repositories, contracts and what is missing',
  },
  check_contract: {
    name: 'Check a payload against a contract',
    description: 'Validates a payload against the JSON Schema of a contract; parameters: contractId, payload',
  },
  echo: { name: 'Echo', description: 'Says what it is told, to try the line with' },
}

export function a2aCard({ repo, role, language, agentId, endpoint, version, workTypes, isOpen }: CardOf) {
  return {
    name: `CACP Agent (${repo})`,
    description: `Coding agent for ${repo} repository`,
    version,
    supportedInterfaces: newestFirst.map((protocolVersion) => ({
      url: endpoint,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: CACP_EXTENSION,
          description:
            'Coordination between repositories (CACP) at the same address; in the metadata of a message ' +
            'workType, parameters and maxDurationSeconds, in the metadata of answers citations, steps and usage',
          required: false,
          params: { repo, role, language, agentId, methods: `${endpoint}/methods` },
        },
      ],
    },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', description: KEY } } },
    // An open daemon takes keys too.
    securityRequirements: isOpen ? [] : [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: workTypes.map((id) => ({
      id,
      ...(SKILLS[id] ?? { name: id, description: `Work of the type ${id}` }),
      tags: ['cacp', role, language].filter((tag) => tag !== ''),
    })),
  } satisfies JsonObject
}

const newestFirst = A2A_VERSIONS.toReversed()
const KEY = 'The key that `cacpd key` prints'

/** The same card for readers of either version: it also has the keys under which 0.3 has the same values. */
export function a2aCardForAll(card: ReturnType<typeof a2aCard>, endpoint: string): JsonObject {
  return {
    ...card,
    protocolVersion: '0.3.0' satisfies `${A2aVersion}.0`,
    url: endpoint,
    preferredTransport: 'JSONRPC',
    securitySchemes: {
      bearer: { ...card.securitySchemes.bearer, type: 'http', scheme: 'bearer', description: KEY },
    },
    security: card.securityRequirements.map(() => ({ bearer: [] })),
    supportsAuthenticatedExtendedCard: false,
  }
}
