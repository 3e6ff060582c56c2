import type { RunResult } from '../../../protocol/run/fold.ts'
import { Icon } from '../../frame/icon.tsx'
import { Part } from '../../frame/part.tsx'
import { figure } from '../../text/figures.ts'
import { Foreign, ForeignCode, Quoted } from '../../text/foreign.tsx'
import { ForeignLink } from '../../text/foreign-link.tsx'
import { Prose } from '../../text/prose.tsx'
import { LongText } from './long-text.tsx'
import { isOver, type Run } from './status.ts'

/** Most of each kind that are shown; a run may have any number. */
const MOST = 100

/** What came of a run: the text, and everything beside it. */
export function RunResultParts({ run, result }: { readonly run: Run; readonly result: RunResult }) {
  const { text, reasoning, steps, tool_calls, citations, artifacts, content, output } = result
  return (
    <>
      {run.failure !== null && (
        <div class="failed" role="alert">
          <p class="failed-what">
            <Icon name="warning" />
            <strong>Failed: {run.failure.kind.replaceAll('_', ' ')}</strong>
          </p>
          <p>
            <Quoted text={run.failure.message} most={1000} />
          </p>
          <p>{run.failure.retryable ? 'Asked again, it may work.' : 'Asked again, it would fail again.'}</p>
        </div>
      )}
      {result.reason !== null && (
        <p class="banner">
          Canceled: <Quoted text={result.reason} most={1000} />
        </p>
      )}
      <Part title="Answer">
        {text === '' ? (
          <p class="quiet">{isOver(run.status) ? 'It wrote no text.' : 'Nothing written yet.'}</p>
        ) : (
          <LongText text={text} label="Answer" />
        )}
        {output !== null && <Data value={output} title="The answer as data" />}
        {content.length > 0 && <Data value={content} title="Other parts of the answer" />}
        {reasoning !== '' && (
          <details>
            <summary>How it came to that ({figure(reasoning.length)} characters)</summary>
            <Prose text={reasoning} />
          </details>
        )}
      </Part>
      {steps.length > 0 && (
        <Part title="Steps">
          <ol class="steps">
            {steps.slice(-MOST).map(({ number, name, status, output: said, progress }, index) => (
              <li key={`${number} ${index}`}>
                <Icon name={status === 'step_completed' ? 'check' : 'arrow'} />
                <span>
                  <Foreign text={name} />{' '}
                  <span class="quiet">
                    {status.replaceAll('_', ' ')}
                    {progress !== null && `, ${progress} %`}
                  </span>
                  {said !== '' && <Prose text={said} />}
                </span>
              </li>
            ))}
          </ol>
        </Part>
      )}
      {tool_calls.length > 0 && <ToolCalls result={result} most={MOST} />}
      {citations.length > 0 && (
        <Part title="Sources">
          <ul class="rows">
            {citations.slice(0, MOST).map(({ uri, text: cited, title }, index) => (
              <li key={`${uri} ${index}`} class="source">
                {/^https?:\/\//.test(uri) ? <ForeignLink href={uri} /> : <Foreign text={uri} />}
                {title !== undefined && <Quoted text={title} />}
                {cited !== '' && <Prose text={cited} />}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {artifacts.length > 0 && (
        <Part title="Artifacts">
          <ul class="rows">
            {artifacts.slice(0, MOST).map(({ artifact_id, name, mime_type, text: written, data, url }) => (
              <li key={artifact_id} class="source">
                <span>
                  <Quoted text={name} />{' '}
                  <span class="quiet">
                    <Foreign text={mime_type} />
                  </span>
                </span>
                {url !== undefined &&
                  (/^https?:\/\//.test(url) ? <ForeignLink href={url} /> : <Foreign text={url} />)}
                {written !== undefined && <Prose text={written} />}
                {data !== undefined && <Data value={data} title="Data" />}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

function Data({ value, title }: { readonly value: unknown; readonly title: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <LongText text={JSON.stringify(value, null, 2)} label={title} />
    </details>
  )
}

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
                <ForeignCode text={name} />
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
