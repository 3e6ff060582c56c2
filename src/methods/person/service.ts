import type { Env } from '../../domain/env.ts'
import type { Todo } from '../../domain/person/todo.ts'
import type { TodoQuery } from './todo.ts'

/** What the person who looks after this daemon sees of it. */
export interface PersonDesk {
  todo(query: TodoQuery, env: Env): Promise<Todo>
}
