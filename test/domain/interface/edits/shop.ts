/** A shop as many publish theirs: OpenAPI 3.0 with references, `allOf`, `oneOf` with a tag, `nullable`, parameters and answers by reference, several ways to sign in and media types. */
export const shop = () => ({
  openapi: '3.0.3',
  info: { title: 'Pet shop', version: '1.0.0' },
  servers: [{ url: 'https://shop.example.com/v1' }],
  security: [{ key: [] }],
  paths: {
    '/pets': {
      parameters: [{ $ref: '#/components/parameters/Trace' }],
      get: {
        operationId: 'listPets',
        parameters: [
          { $ref: '#/components/parameters/Limit' },
          { name: 'kind', in: 'query', schema: { type: 'string', enum: ['cat', 'dog'] } },
          {
            name: 'tags',
            in: 'query',
            style: 'form',
            explode: true,
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        responses: {
          '200': {
            description: 'ok',
            headers: { 'X-Next': { schema: { type: 'string' } } },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
              'application/xml': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
            },
          },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
      post: {
        operationId: 'addPet',
        requestBody: { $ref: '#/components/requestBodies/NewPet' },
        responses: {
          '201': {
            description: 'made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          '409': { $ref: '#/components/responses/Problem' },
        },
      },
    },
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      get: {
        security: [{ key: [] }, { oauth: ['pets:read'] }],
        responses: {
          '200': {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          '404': { $ref: '#/components/responses/Problem' },
        },
      },
      delete: { responses: { '204': { description: 'gone' } } },
    },
  },
  components: {
    parameters: {
      Limit: {
        name: 'limit',
        in: 'query',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
    },
    requestBodies: {
      NewPet: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
      },
    },
    responses: {
      Problem: {
        description: 'wrong',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://id.example.com/t', scopes: { 'pets:read': 'read' } },
        },
      },
    },
    schemas: {
      Base: {
        type: 'object',
        required: ['id', 'createdAt'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          createdAt: { type: 'string', format: 'date-time', readOnly: true },
        },
      },
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
        },
      },
      Cat: {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          {
            type: 'object',
            required: ['kind', 'name'],
            properties: {
              kind: { type: 'string' },
              name: { type: 'string', maxLength: 80 },
              indoor: { type: 'boolean' },
              owner: { $ref: '#/components/schemas/Owner' },
            },
          },
        ],
      },
      Dog: {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          {
            type: 'object',
            required: ['kind', 'name'],
            properties: {
              kind: { type: 'string' },
              name: { type: 'string', maxLength: 80 },
              breed: { type: 'string', nullable: true },
              friends: { type: 'array', items: { $ref: '#/components/schemas/Dog' } },
            },
          },
        ],
      },
      Owner: {
        type: 'object',
        nullable: true,
        required: ['email'],
        properties: { email: { type: 'string', format: 'email' }, phone: { type: 'string' } },
      },
      NewPet: {
        type: 'object',
        required: ['kind', 'name'],
        properties: {
          kind: { type: 'string', enum: ['cat', 'dog'] },
          name: { type: 'string', maxLength: 80 },
          breed: { type: 'string', nullable: true },
          note: { type: 'string' },
        },
      },
      Problem: {
        type: 'object',
        required: ['title'],
        properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' } },
      },
    },
  },
})
