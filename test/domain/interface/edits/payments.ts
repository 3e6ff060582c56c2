/** Payments in OpenAPI 3.1: closed objects, unions by one value, a webhook, a schema that contains itself, ranges of statuses. */
export const payments = () => ({
  openapi: '3.1.0',
  info: { title: 'Payments', version: '2' },
  paths: {
    '/payments': {
      post: {
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/NewPayment' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/NewPayment' } },
          },
        },
        responses: {
          '201': {
            description: 'made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Payment' } } },
          },
          '4XX': {
            description: 'no',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        },
      },
    },
    '/payments/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Payment' } } },
          },
          '404': { description: 'no' },
        },
      },
    },
  },
  webhooks: {
    paid: {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Payment' } } },
        },
        responses: { '200': { description: 'thanks' } },
      },
    },
  },
  components: {
    schemas: {
      Money: {
        type: 'object',
        properties: {
          amount: { type: 'integer', minimum: 0 },
          currency: { type: 'string', pattern: '^[A-Z]{3}$' },
        },
        required: ['amount', 'currency'],
        additionalProperties: false,
      },
      NewPayment: {
        type: 'object',
        properties: {
          money: { $ref: '#/components/schemas/Money' },
          method: { $ref: '#/components/schemas/Method' },
          memo: { type: ['string', 'null'], maxLength: 140 },
        },
        required: ['money', 'method'],
      },
      Method: {
        oneOf: [
          {
            type: 'object',
            title: 'Card',
            properties: { type: { const: 'card' }, number: { type: 'string' } },
            required: ['type', 'number'],
          },
          {
            type: 'object',
            title: 'Bank',
            properties: { type: { const: 'bank' }, iban: { type: 'string' } },
            required: ['type', 'iban'],
          },
        ],
      },
      Payment: {
        allOf: [
          { $ref: '#/components/schemas/NewPayment' },
          {
            type: 'object',
            properties: {
              id: { type: 'string' },
              status: { enum: ['open', 'paid', 'failed'] },
              refunds: { type: 'array', items: { $ref: '#/components/schemas/Payment' } },
            },
            required: ['id', 'status'],
          },
        ],
      },
      Error: {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' } },
        required: ['code'],
      },
    },
  },
})
