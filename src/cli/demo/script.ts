/** What the two repositories of the demo are made of, and what they talk about. */

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
