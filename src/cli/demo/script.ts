/** What the repositories of the demo are made of, and what they talk about. */

export const PROJECT = { name: 'User Auth', objective: 'Log in from the app' }

export const ENDPOINT = {
  name: 'Get User Profile',
  first: { method: 'GET', path: '/users/me', response: { id: 'string', name: 'string' } },
  objection: 'Please put it under /api/v1, as everything else of yours',
  second: { method: 'GET', path: '/api/v1/users/me', response: { id: 'string', name: 'string' } },
  note: 'Moved under /api/v1',
}

export const QUESTION = {
  question: 'How does the app log in: with a JWT or with cookies?',
  options: ['JWT', 'cookies'],
}

export const ANSWER = {
  explanation: 'With a JWT in the Authorization header; cookies would need CSRF tokens too',
  language: 'python',
  file: 'src/auth.py',
  snippet: 'token = request.headers["Authorization"].removeprefix("Bearer ")',
}

export const DECISION = {
  decision: 'How to log in',
  chosen: 'JWT',
  rationale: 'One header, and no CSRF tokens',
}

const PROFILE_RESPONSE = { id: 'string', name: 'string' }
const PROFILE_CALL = { method: 'PATCH', path: '/api/v1/users/me', response: PROFILE_RESPONSE }
const NAME = { type: 'string', minLength: 1, maxLength: 80 }

/** What a demo that is kept leaves to be answered. */
export const PROFILE = {
  name: 'Update User Profile',
  first: { ...PROFILE_CALL, request: { name: 'string' } },
  objection: 'An empty name must be refused: say how long it may be',
  second: { content: { ...PROFILE_CALL, request: { name: NAME } }, note: 'A name has 1 to 80 characters' },
  third: {
    content: {
      ...PROFILE_CALL,
      request: { name: NAME, locale: 'string' },
      errors: { 422: 'the name is empty or too long' },
    },
    note: 'Also the locale, and what is answered to a bad name',
  },
}

const AVATAR_CALL = { method: 'PUT', path: '/api/v1/users/me/avatar', maxBytes: 1_000_000, formats: ['png'] }

/** What both sides change at once. */
export const AVATAR = {
  name: 'Upload Avatar',
  first: AVATAR_CALL,
  backend: {
    content: { ...AVATAR_CALL, maxBytes: 500_000, scan: true },
    note: 'Smaller, and looked through for viruses',
  },
  frontend: { content: { ...AVATAR_CALL, formats: ['png', 'webp'] }, note: 'Phones send WebP' },
}

export const OPEN_QUESTION = { question: 'May a user have no name at all?', options: ['yes', 'no'] }

/** Enough for their daemons to guess what they are. */
export const REPOSITORIES = {
  backend: {
    name: 'backend-api',
    files: {
      'README.md': '# backend-api\n\nOne half of `cacpd demo`.\n',
      'requirements.txt': 'fastapi\n',
    },
  },
  frontend: {
    name: 'frontend-app',
    files: {
      'README.md': '# frontend-app\n\nThe other half of `cacpd demo`.\n',
      'package.json': '{ "name": "frontend-app", "private": true, "dependencies": { "react": "*" } }\n',
      'tsconfig.json': '{}\n',
    },
  },
  /** Of a demo that is kept: it asks to be let in. */
  stranger: {
    name: 'mobile-app',
    // Approving gives no key: only a daemon that needs none can be reached after it.
    isOpen: true,
    files: {
      'README.md': '# mobile-app\n\nKnocks at the door of `cacpd demo --keep`.\n',
      'package.json': '{ "name": "mobile-app", "private": true, "dependencies": { "react-native": "*" } }\n',
    },
  },
} as const

/** What each writes to keep the contract. */
export const FILES = {
  backend: {
    name: 'src/routes/user.py',
    text: (path: string) =>
      `@router.get("${path}")\ndef me(user: User = Depends(current_user)):\n    return {"id": user.id, "name": user.name}\n`,
  },
  frontend: {
    name: 'src/api/user.ts',
    text: (path: string) =>
      `export const loadMe = (token: string): Promise<Response> =>\n  fetch('${path}', { headers: { authorization: \`Bearer \${token}\` } })\n`,
  },
} as const
