import { plainJson } from '../../domain/names/quoted.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
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
    items.map(itemText),
    waitingFor.map(
      (one) =>
        `you wait for ${namesIn(one['repos'])} to ${textIn(one, 'for')}: ${aboutText(one)} since ${when(one['since'])}${objectedText(one)}`,
    ),
    `cursor: ${answer['cursor']}`,
  )
}

function itemText(item: JsonObject): string {
  const from = isJsonObject(item['from']) ? ` from ${said(item['from']['repo'])}` : ''
  const { next } = item
  return lines(
    `- ${textIn(item, 'kind')}: ${aboutText(item)}${from} since ${when(item['since'])}${item['urgency'] === 'low' ? ', of low urgency' : ''}: ${textIn(item, 'why')}`,
    takenText(item),
    messageText(item),
    changeText(item),
    reviewText(item),
    listIn(item, 'objections').map(objectionText),
    listIn(item, 'findings').map(findingText),
    isJsonObject(next) ? `  next: ${nextText(next)}` : undefined,
    `  id: ${textIn(item, 'id')}`,
  )
}

function takenText({ taken }: JsonObject): string | undefined {
  if (!isJsonObject(taken)) return undefined
  return `  taken by ${said(taken['by'])} until ${when(taken['until'])}: leave it to that session`
}

function messageText({ message, about }: JsonObject): string | undefined {
  const isTold = message === undefined || (isJsonObject(about) && about['name'] === message)
  return isTold ? undefined : `  says ${said(message, 2000)}`
}

function objectionText(one: JsonObject): string {
  const comment = textIn(one, 'comment') === '' ? '' : `: ${said(one['comment'], 1000)}`
  const change = one['suggestedChange'] === null ? '' : `, suggests ${said(one['suggestedChange'], 2000)}`
  const accept = isJsonObject(one['accept']) ? `\n  to accept that: ${callText(one['accept'])}` : ''
  return `  ${textIn(one, 'action')} by ${whose(one)}${comment}${change}${accept}`
}

/** What a person said at a repo is told apart from what its agent says. */
const whose = (one: JsonObject): string =>
  `${one['byPerson'] === true ? 'a person at ' : ''}${said(one['repo'])}`

function changeText({ change }: JsonObject): string | undefined {
  if (!isJsonObject(change)) return undefined
  const fields = textIn(change, 'fields')
  const parties = change['parties'] === undefined ? '' : `, and parties ${said(change['parties'], 1000)}`
  return `  in force: v${change['from']}${fields === '' ? '' : `, of which it changes ${said(fields, 1000)}`}${parties}`
}

/** What it does to this repo is part of `why`. */
function reviewText({ review }: JsonObject): string[] {
  if (!isJsonObject(review)) return []
  const { accept, object, expect } = review
  return [
    isJsonObject(accept) ? `  to accept what breaks: ${nextText(accept)}` : '',
    isJsonObject(object) ? `  to object: ${nextText(object)}` : '',
    isJsonObject(expect) ? `  to say what is missing: ${nextText(expect)}` : '',
  ]
}

function findingText(one: JsonObject): string {
  const notes = textIn(one, 'notes') === '' ? '' : `: ${said(one['notes'], 1000)}`
  const details = one['details'] === null ? '' : `, details ${said(one['details'], 2000)}`
  return `  ${textIn(one, 'result')} by ${whose(one)}${notes}${details}`
}

/** A method call as a tool call, with the arguments that the caller has to fill in. */
export function nextText(next: JsonObject): string {
  const { fill } = next
  const toDecide = Array.isArray(fill) ? `, with your own ${fill.join(' and ')}` : ''
  return `${callText(next)}${toDecide}`
}

function callText({ method, params }: JsonObject): string {
  const [tool, input] = toolCallFor(String(method), params)
  return `${tool} ${plainJson(input)}`
}

function aboutText(one: JsonObject): string {
  const about = isJsonObject(one['about']) ? one['about'] : {}
  const version = about['version'] === undefined ? '' : ` v${about['version']}`
  const where = about['kind'] === 'project' ? '' : ` in project ${textIn(one, 'projectId')}`
  return `${textIn(about, 'kind')} ${textIn(about, 'id')} ${said(about['name'])}${version}${where}`
}

const objectedText = ({ objectedBy }: JsonObject): string =>
  objectedBy === undefined ? '' : `, objected to by ${namesIn(objectedBy)}`

const namesIn = (repos: unknown): string =>
  Array.isArray(repos) && repos.length > 0 ? repos.map((repo) => said(repo)).join(' ') : 'any other repo'
