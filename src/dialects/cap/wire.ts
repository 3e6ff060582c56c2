import { userError } from '../coreason/errors.ts'
import type { AssistWire } from '../coreason/wire.ts'
import { toRun } from './service-request.ts'
import { serviceResponse } from './service-response.ts'
import { createEncoder } from './stream-packet.ts'

/** A ServiceRequest; answered by a ServiceResponse, or by StreamPackets. */
export const CAP: AssistWire = { toRun, createEncoder, answer: serviceResponse, refusal: userError }
