import type { RunResult } from '../../../protocol/run/fold.ts'
import { Part } from '../../frame/part.tsx'
import { Foreign } from '../../text/foreign.tsx'
import { LongText } from './long-text.tsx'

/** The tools that the agent used, with what it gave them and what they gave back. */
export function ToolCalls({ result, most }: { readonly result: RunResult; readonly most: number }) {
  const outputs = new Map(result.tool_outputs.map(({ call_id, output }) => [call_id, output]))
  return (
    <Part title="Tool calls">
      <ul class="rows">
        {result.tool_calls.slice(-most).map(({ call_id, name, arguments: given }) => (
          <li key={call_id} class="source">
            <details>
              <summary>
                <code>
                  <Foreign text={name} />
                </code>
                {outputs.has(call_id) ? '' : ' (no answer yet)'}
              </summary>
              <h3>Given</h3>
              <LongText text={given} label="What the tool was given" />
              {outputs.has(call_id) && (
                <>
                  <h3>Answered</h3>
                  <LongText text={outputs.get(call_id) ?? ''} label="What the tool answered" />
                </>
              )}
            </details>
          </li>
        ))}
      </ul>
    </Part>
  )
}
