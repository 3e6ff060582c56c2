import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { lines, listIn, said, textIn, when } from '../text.ts'
import { toolCallFor } from './tool-call.ts'

export function inboxText(answer: JsonObject): string {
  const items = listIn(answer, 'items')
  const waitingFor = listIn(answer, 'waitingFor')
  const count = Number(answer['count'] ?? items.length)
  return lines(
    items.length === 0
      ? 'Nothing waits for you.'
      : `${count} to do${count > items.length ? `, the first ${items.length}` : ''}; what stands in quotes others wrote`,
    ...items.map(itemText),
    ...waitingFor.map(
      (one) =>
        `you wait for ${namesIn(one['repos'])} to ${said(one['for'])}: ${aboutText(one)} since ${when(one['since'])}`,
    ),
    `cursor: ${answer['cursor']}`,
  )
}

function itemText(item: JsonObject): string {
  const from = isJsonObject(item['from']) ? ` from ${said(item['from']['repo'])}` : ''
  const { next } = item
  return lines(
    `- ${textIn(item, 'kind')}: ${aboutText(item)}${from} since ${when(item['since'])}: ${textIn(item, 'why')}`,
    isJsonObject(next) ? `  next: ${toolCallFor(next)}` : undefined,
    `  id: ${textIn(item, 'id')}`,
  )
}

function aboutText(one: JsonObject): string {
  const about = isJsonObject(one['about']) ? one['about'] : {}
  const version = about['version'] === undefined ? '' : ` v${about['version']}`
  return `${textIn(about, 'kind')} ${textIn(about, 'id')} ${said(about['name'])}${version} in project ${textIn(one, 'projectId')}`
}

const namesIn = (repos: unknown): string =>
  Array.isArray(repos)
    ? repos.map((repo) => said(isJsonObject(repo) ? (repo['repo'] ?? repo['name']) : repo)).join(' ')
    : said(repos)
