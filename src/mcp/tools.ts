import type { Tool } from './tool.ts'
import { brief, inbox, search } from './tools/brief-inbox-search.ts'
import { anyCall } from './tools/call.ts'
import { contextShare } from './tools/context-share.ts'
import { propose, respond, update } from './tools/contract.ts'
import { implementation } from './tools/implementation.ts'
import { project } from './tools/project.ts'
import { wait } from './tools/wait.ts'
import { workSend } from './tools/work-send.ts'

/** All tools. Their texts are in the context of every model: a test limits their bytes. */
export const TOOLS: readonly Tool[] = [
  brief,
  inbox,
  wait,
  search,
  project,
  propose,
  respond,
  update,
  contextShare,
  implementation,
  workSend,
  anyCall,
]
