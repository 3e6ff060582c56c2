import { Icon } from '../../frame/icon.tsx'
import type { IconName } from '../../frame/icon-paths.ts'
import { JsonTree } from '../../json/json-tree.tsx'
import type { JsonFields, JsonValue } from '../../json/value.ts'
import { Foreign } from '../../text/foreign.tsx'
import { CodeLines, Prose } from '../../text/prose.tsx'
import { FileCard, fileIn } from './file-card.tsx'

/** The content of a packet by others, in the form that its type has. */
export function PacketBody({ type, content }: { readonly type: string; readonly content: JsonFields }) {
  if (content['redacted'] === true) return <p class="quiet">Its author has removed what it said.</p>
  const text = (key: string): string | undefined => {
    const value = content[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  if (type === 'question')
    return (
      <>
        <Prose text={text('question') ?? ''} />
        <Listed title="Options" items={content['options']} />
        {content['urgent'] === true && <p class="urgent">Urgent</p>}
      </>
    )
  if (type === 'decision')
    return (
      <>
        <Prose text={text('decision') ?? ''} />
        <p>
          Chosen:{' '}
          <strong>
            <Foreign text={text('chosen') ?? ''} />
          </strong>
        </p>
        <Prose text={text('rationale') ?? ''} />
        <Listed title="Implications" items={content['implications']} />
      </>
    )
  const code = text('snippet') ?? text('definitions')
  const said = text('message') ?? text('answer') ?? text('explanation') ?? text('note') ?? text('purpose')
  const file = fileIn(content['file'])
  if (code === undefined && said === undefined && file === undefined)
    return <JsonTree value={content} name="its content" />
  return (
    <>
      {said !== undefined && <Prose text={said} />}
      {file !== undefined && <FileCard file={file} />}
      {code !== undefined && (
        <figure class="snippet">
          {text('file') !== undefined && (
            <figcaption>
              <Foreign text={text('file') ?? ''} />
            </figcaption>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by keyboard */}
          <pre tabIndex={0}>
            <code>
              <CodeLines text={code} />
            </code>
          </pre>
        </figure>
      )}
      <details>
        <summary>All of it</summary>
        <JsonTree value={content} name="its content" />
      </details>
    </>
  )
}

function Listed({ title, items }: { readonly title: string; readonly items: JsonValue | undefined }) {
  if (!Array.isArray(items) || items.length === 0) return null
  return (
    <>
      <p class="list-title">{title}</p>
      <ul class="listed">
        {items
          .filter((item) => typeof item === 'string')
          .map((item) => (
            <li key={item}>
              <Foreign text={item} />
            </li>
          ))}
      </ul>
    </>
  )
}

const ICONS: Readonly<Record<string, IconName>> = { question: 'question', decision: 'check' }

const WORDS: Readonly<Record<string, string>> = {
  question: 'asked',
  decision: 'decided',
  code_snippet: 'shared code',
  type_definition: 'shared types',
  api_spec: 'shared an API description',
  error_catalog: 'shared errors',
  env_config: 'shared a configuration',
  test_case: 'shared a test',
  dependency_info: 'shared dependencies',
  implementation_status: 'told how far it is',
}

/** What somebody did by sending it. */
export const packetDid = (type: string, isReply: boolean): string =>
  isReply && type !== 'decision' && type !== 'question' ? 'replied' : (WORDS[type] ?? 'shared something')

export function PacketIcon({ type }: { readonly type: string }) {
  return <Icon name={ICONS[type] ?? 'message'} />
}
