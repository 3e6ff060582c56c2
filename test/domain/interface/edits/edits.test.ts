import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../../../src/domain/interface/model.ts'
import { reviewPair } from '../../../../src/domain/interface/review.ts'
import { applied, type Step } from './apply.ts'
import { payments } from './payments.ts'
import { shop } from './shop.ts'

type Row = readonly [Verdict, string, ...Step[]]

const LIMIT = 'components parameters Limit schema'
const [BASE, CAT, DOG] = ['components schemas Base', 'components schemas Cat', 'components schemas Dog']
const NEW_PET = 'components schemas NewPet'
const PET_PATH = 'paths /pets/{petId}'

const BIRD = {
  allOf: [
    { $ref: '#/components/schemas/Base' },
    {
      type: 'object',
      required: ['kind', 'wings'],
      properties: { kind: { type: 'string' }, wings: { type: 'integer' } },
    },
  ],
}

const OF_SHOP: readonly Row[] = [
  ['compatible', 'a shared limit is raised', ['set', `${LIMIT} maximum`, 500]],
  ['breaking', 'a shared limit is lowered', ['set', `${LIMIT} maximum`, 50]],
  ['unknown', 'another default', ['set', `${LIMIT} default`, 50]],
  ['breaking', 'a shared header becomes required', ['set', 'components parameters Trace required', true]],
  ['unknown', 'an optional property is not returned', ['delete', `${CAT} allOf 1 properties owner`]],
  [
    'breaking',
    'what all pets have is gone',
    ['delete', `${BASE} properties createdAt`],
    ['set', `${BASE} required`, ['id']],
  ],
  ['breaking', 'what all pets have may be missing', ['set', `${BASE} required`, ['createdAt']]],
  [
    'breaking',
    'one more kind of pet is returned',
    ['set', 'components schemas Bird', BIRD],
    ['push', 'components schemas Pet oneOf', { $ref: '#/components/schemas/Bird' }],
    ['set', 'components schemas Pet discriminator mapping bird', '#/components/schemas/Bird'],
  ],
  ['compatible', 'one more kind of pet is taken', ['push', `${NEW_PET} properties kind enum`, 'bird']],
  ['breaking', 'null is not taken any more', ['delete', `${NEW_PET} properties breed nullable`]],
  ['compatible', 'null is not returned any more', ['delete', `${DOG} allOf 1 properties breed nullable`]],
  ['breaking', 'null may be returned', ['set', 'components schemas Owner properties phone nullable', true]],
  [
    'compatible',
    'a new property that only the shop writes',
    ['set', `${BASE} properties rev`, { type: 'integer', readOnly: true }],
    ['push', `${BASE} required`, 'rev'],
  ],
  ['breaking', 'XML is not answered', ['delete', 'paths /pets get responses 200 content application/xml']],
  ['breaking', 'a way to sign in is gone', ['set', `${PET_PATH} get security`, [{ key: [] }]]],
  ['compatible', 'one more way to sign in', ['push', 'security', { oauth: ['pets:read'] }]],
  ['breaking', 'one more scope', ['push', `${PET_PATH} get security 1 oauth`, 'pets:list']],
  ['compatible', 'one scope less', ['set', `${PET_PATH} get security 1 oauth`, []]],
  [
    'unknown',
    'tokens come from elsewhere',
    ['set', 'components securitySchemes oauth flows clientCredentials tokenUrl', 'https://new.example.com/t'],
  ],
  [
    'compatible',
    'a parameter of the path has another name',
    ['set', `${PET_PATH} parameters 0 name`, 'id'],
    ['move', PET_PATH, 'paths /pets/{id}'],
  ],
  [
    'compatible',
    'a schema has another name',
    ['move', 'components schemas Owner', 'components schemas Keeper'],
    ['set', `${CAT} allOf 1 properties owner $ref`, '#/components/schemas/Keeper'],
  ],
  ['compatible', 'a reference is written out', ['copy', BASE, `${CAT} allOf 0`]],
  ['unknown', 'a list is written another way', ['set', 'paths /pets get parameters 2 explode', false]],
  [
    'compatible',
    'all errors are told by ranges',
    ['copy', 'paths /pets get responses default', 'paths /pets get responses 4XX'],
    ['move', 'paths /pets get responses default', 'paths /pets get responses 5XX'],
  ],
  ['breaking', 'one more field is required', ['push', `${NEW_PET} required`, 'note']],
  [
    'compatible',
    'the same in OpenAPI 3.1',
    ['set', 'openapi', '3.1.0'],
    ['set', `${NEW_PET} properties breed`, { type: ['string', 'null'] }],
    ['set', `${DOG} allOf 1 properties breed`, { type: ['string', 'null'] }],
    ['set', 'components schemas Owner type', ['object', 'null']],
    ['delete', 'components schemas Owner nullable'],
  ],
  [
    'breaking',
    'another status of the good answer',
    ['move', `${PET_PATH} delete responses 204`, `${PET_PATH} delete responses 200`],
  ],
  ['compatible', 'a new operation', ['set', `${PET_PATH} put`, { responses: { 200: { description: '' } } }]],
  ['breaking', 'an operation is gone', ['delete', `${PET_PATH} delete`]],
]

const MEMO = 'components schemas NewPayment properties memo maxLength'
const MONEY = 'components schemas Money properties'
const MADE = 'paths /payments post responses'
const WALLET = {
  type: 'object',
  title: 'Wallet',
  properties: { type: { const: 'wallet' }, token: { type: 'string' } },
  required: ['type', 'token'],
}

const OF_PAYMENTS: readonly Row[] = [
  [
    'unknown',
    'a closed object that is returned gets a property',
    ['set', `${MONEY} fee`, { type: 'integer' }],
  ],
  [
    'unknown',
    'one more status',
    ['push', 'components schemas Payment allOf 1 properties status enum', 'refunded'],
  ],
  ['breaking', 'one more branch, which is returned too', ['push', 'components schemas Method oneOf', WALLET]],
  ['breaking', 'shorter texts are taken', ['set', MEMO, 100]],
  ['breaking', 'longer texts are returned', ['set', MEMO, 200]],
  ['breaking', 'fractions are returned', ['set', `${MONEY} amount type`, 'number']],
  [
    'breaking',
    'forms are not taken',
    ['delete', 'paths /payments post requestBody content application/x-www-form-urlencoded'],
  ],
  ['compatible', 'a header may be left out', ['delete', 'paths /payments post parameters 0 required']],
  ['compatible', 'a range becomes a status', ['move', `${MADE} 4XX`, `${MADE} 400`]],
  [
    'breaking',
    'an error has another type',
    ['set', 'components schemas Error properties code type', 'integer'],
  ],
  [
    'breaking',
    'what a webhook sends may be missing',
    ['set', 'components schemas Payment allOf 1 required', ['status']],
  ],
  ['breaking', 'texts of any pattern are returned', ['delete', `${MONEY} currency pattern`]],
  [
    'compatible',
    'branches in another order',
    ['move', 'components schemas Method oneOf 0', 'components schemas Method oneOf 2'],
    ['move', 'components schemas Method oneOf 1', 'components schemas Method oneOf 0'],
    ['move', 'components schemas Method oneOf 2', 'components schemas Method oneOf 1'],
    ['set', 'components schemas Method oneOf length', 2],
  ],
  [
    'compatible',
    'what people read',
    ['set', 'components schemas Money description', 'in the smallest unit'],
    ['set', 'components schemas Payment example', { id: 'p1' }],
    ['set', 'info version', '3'],
  ],
]

const named = (rows: readonly Row[]) => rows.map(([verdict, name, ...steps]) => ({ verdict, name, steps }))

describe('edits of whole documents are judged as a careful person would', () => {
  test.each(named(OF_SHOP))('a shop: $verdict: $name', ({ verdict, steps }) => {
    expect(reviewPair('api_endpoint', shop(), applied(shop(), steps)).verdict).toBe(verdict)
  })

  test.each(named(OF_PAYMENTS))('payments: $verdict: $name', ({ verdict, steps }) => {
    expect(reviewPair('api_endpoint', payments(), applied(payments(), steps)).verdict).toBe(verdict)
  })
})
