import { defined } from '../../protocol/collections/defined.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import type { ContentPart } from '../../protocol/run/content.ts'
import type { Part } from './params.ts'

export function contentOf({ text, raw, url, data, mediaType = '', filename }: Part): ContentPart {
  const [kind = '', format = ''] = mediaType.split(/[/;]/)
  const named = filename === undefined ? {} : { filename }
  if (text !== undefined) return { type: 'text', text }
  if (url !== undefined) {
    if (kind === 'image') return { type: 'image', image_url: url }
    if (kind === 'video') return { type: 'video', video_url: url }
    return { type: 'file', file_url: url, ...named }
  }
  if (raw !== undefined) {
    if (kind === 'image') return { type: 'image', image_url: `data:${mediaType};base64,${raw}` }
    if (kind === 'audio') return { type: 'audio', data: raw, format }
    return { type: 'file', file_data: raw, ...named }
  }
  return { type: 'data', data: isJsonObject(data) ? data : { value: data } }
}

/** The keys of a part that the content part has no place for; kept to show the message again as it came. */
export function aboutPart({ data, mediaType, filename, metadata }: Part): JsonObject {
  return {
    ...defined({ mediaType, filename, metadata }),
    ...(data === undefined || isJsonObject(data) ? {} : { isBare: true }),
  }
}

/** A content part of a run as a part of A2A. Only text becomes a text part: all text parts together are the text. */
export function partOf(content: ContentPart, { isBare, ...about }: JsonObject = {}): JsonObject {
  return { ...bodyOf(content, isBare === true), ...about }
}

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/

function bodyOf(content: ContentPart, isBare: boolean): JsonObject {
  switch (content.type) {
    case 'text':
      return { text: content.text }
    case 'data':
      return { data: isBare ? content.data['value'] : content.data }
    case 'image':
      return referenceTo(content.image_url)
    case 'video':
      return referenceTo(content.video_url)
    case 'audio':
      return { raw: content.data, mediaType: `audio/${content.format ?? '*'}` }
    case 'file': {
      const { file_url, file_data, file_id, filename } = content
      const named = filename === undefined ? {} : { filename }
      if (file_data !== undefined) return { ...named, ...inline(file_data) }
      return file_url === undefined ? { ...named, data: { file_id } } : { ...named, ...referenceTo(file_url) }
    }
    case 'refusal':
      return { data: { refusal: content.refusal } }
  }
}

const referenceTo = (url: string): JsonObject => (DATA_URL.test(url) ? inline(url) : { url })

function inline(data: string): JsonObject {
  const [start = '', mediaType = ''] = DATA_URL.exec(data) ?? []
  return { raw: data.slice(start.length), ...(mediaType === '' ? {} : { mediaType }) }
}
