import type { ResultOf } from '../../methods/table.ts'
import { namesFor } from '../derive/known-names.ts'
import { type GroupForm, methodForm } from '../derive/method-form.ts'
import { inCommandWords } from '../output/command-wording.ts'
import { nextLine } from '../output/next-line.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { type Screen, timeOn } from '../output/screen.ts'

type Todo = ResultOf<'cacp/person/todo'>

/** Says how to do what only a person can; the rest in a line each, as `cacpd inbox` says more of it. */
export const person: GroupForm = {
  methods: {
    todo: methodForm('cacp/person/todo', {
      learn: (todo, client) =>
        namesFor(
          client,
          todo.person.flatMap(({ next }) => next ?? []),
        ),
      show: (todo, screen, { given, known: names }) => {
        const lineOf = (task: Todo['person'][number]) =>
          task.next === undefined
            ? inCommandWords(task.fix ?? '')
            : nextLine(task.next, given, { self: screen.self, names })
        return [
          heading('for you', todo.counts.person, screen),
          ...todo.person.flatMap((task) => taskLines(task, lineOf(task), screen)),
          heading('for the agent', todo.counts.agent, screen, overdueIn(todo)),
          ...todo.agent.map((item) => itemLine(item, screen)),
          heading('waiting for', todo.counts.waiting, screen),
          ...todo.waiting.map((wait) => waitLine(wait, screen)),
        ].join('\n')
      },
      footnote: ({ more }, terminal) =>
        more ? paint('dim', 'and more; `cacpd inbox` shows it', terminal) : undefined,
    }),
  },
}

const heading = (group: string, count: number, screen: Screen, more = ''): string =>
  `${paint('bold', group, screen)}: ${count === 0 ? 'nothing' : count}${more}`

const overdueIn = ({ counts }: Todo): string => (counts.overdue === 0 ? '' : `, ${counts.overdue} overdue`)

function taskLines({ kind, name, why, since }: Todo['person'][number], line: string, screen: Screen) {
  const age = since === null ? '' : ` (since ${timeOn(screen, since)})`
  return [
    `  ${printableLine(`${kind} ${name}`)}`,
    `    ${printableLine(`${why}${age}`)}`,
    ...(line === '' ? [] : [`    ${printableLine(line)}`]),
  ]
}

const itemLine = ({ kind, about, projectName, since, overdue }: Todo['agent'][number], screen: Screen) =>
  `  ${printableLine(`${kind} ${about.name}, in ${projectName}, since ${timeOn(screen, since)}${overdue ? ', overdue' : ''}`)}`

function waitLine({ about, repos, for: to, since, delivery }: Todo['waiting'][number], screen: Screen) {
  const whom = repos.length === 0 ? 'any other repository' : repos.join(', ')
  const come = delivery === undefined ? '' : `, ${delivery}`
  return `  ${printableLine(`${about.name}: ${whom} to ${to}, since ${timeOn(screen, since)}${come}`)}`
}
