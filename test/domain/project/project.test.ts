import { describe, expect, test } from 'vitest'
import { projectStatus, updatedAt } from '../../../src/domain/project/project.ts'
import type { ProjectStatus } from '../../../src/protocol/words.ts'
import { at } from '../builders.ts'
import { agreed, implemented, negotiating, proposed, Story, verified } from '../story.ts'

const begun = (): Story => {
  const { story, revision } = agreed()
  story.works('backend', revision, 'in_progress', at(12))
  return story
}

/** The same project with one contract more. */
const and = (story: Story, more: (story: Story) => unknown): Story => {
  more(story)
  return story
}

const proposesMore = (story: Story) => story.proposes('backend', at(30))
const agreesMore = (story: Story) => story.answers('frontend', proposesMore(story), 'agree', at(31))
const verifiesMore = (story: Story) => {
  const more = proposesMore(story)
  story.answers('frontend', more, 'agree', at(31))
  for (const name of ['backend', 'frontend'] as const) story.works(name, more, 'complete', at(32))
  story.verifies('frontend', more, 'success', at(33))
}
const withdrawsMore = (story: Story) => {
  const more = proposesMore(story)
  const { about } = more
  const body = { revision: more.id }
  const { backend } = story.authors
  story.say(backend.under(story.claims.backend ?? more, { kind: 'withdrawal', about, at: at(34), body }))
}
const retiresMore = (story: Story) => {
  const more = proposesMore(story)
  story.answers('frontend', more, 'agree', at(31))
  const end = story.authors.backend.revise(story.claims.backend ?? more, more, { at: at(32), retire: true })
  story.answers('frontend', story.say(end), 'agree', at(33))
}

describe('the status of a project follows from its contracts', () => {
  test.each<[string, () => Story, ProjectStatus]>([
    ['nothing', () => new Story(), 'planning'],
    ['only proposals', () => proposed().story, 'planning'],
    ['only objections', () => negotiating().story, 'planning'],
    ['an agreement that nobody works on', () => agreed().story, 'planning'],
    ['an implementation that has started', begun, 'implementing'],
    ['some contracts implemented and some not', () => and(implemented().story, agreesMore), 'implementing'],
    ['every contract implemented', () => implemented().story, 'integrating'],
    ['every contract implemented or verified', () => and(implemented().story, verifiesMore), 'integrating'],
    ['every contract verified', () => verified().story, 'complete'],
    ['a new proposal beside verified ones', () => and(verified().story, proposesMore), 'implementing'],
    ['one that was withdrawn beside verified ones', () => and(verified().story, withdrawsMore), 'complete'],
    ['one that was retired beside verified ones', () => and(verified().story, retiresMore), 'complete'],
    ['only one that was withdrawn', () => and(new Story(), withdrawsMore), 'planning'],
  ])('with %s', (_what, tell, status) => {
    expect(projectStatus(tell().found)).toBe(status)
  })

  test('and a change that is negotiated undoes nothing of what is in force', () => {
    const { story, revision } = verified()
    story.revises('backend', revision, at(20))
    expect(projectStatus(story.found)).toBe('complete')
  })

  test('is found once for every state, however many wait for it', () => {
    const { found } = verified().story
    let looks = 0
    const contracts = {
      size: found.contracts.size,
      get: (id: string) => found.contracts.get(id),
      newestFirst: () => found.contracts.newestFirst(),
      oldestFirst: () => {
        looks++
        return found.contracts.oldestFirst()
      },
    }
    const counted = { contracts } as unknown as typeof found
    expect([projectStatus(counted), projectStatus(counted)]).toEqual(['complete', 'complete'])
    expect(looks).toBe(1)
  })
})

describe('updated_at is the newest stamp inside', () => {
  test.each<[string, (story: Story) => unknown]>([
    ['its title', (story) => titled(story)],
    ['a claim', (story) => story.joins('mobile', at(60))],
    ['a released claim', (story) => story.releases('frontend', at(60))],
    ['a contract', (story) => story.proposes('backend', at(60))],
    ['an answer', (story) => story.answers('frontend', story.proposes('backend', at(50)), 'agree', at(60))],
    ['a packet', (story) => story.shares('backend', at(60))],
    ['a redaction', (story) => story.redacts('backend', story.shares('backend', at(50)), at(60))],
  ])('when it is that of %s', (_what, happens) => {
    const story = new Story()
    happens(story)
    expect(updatedAt(story.found)).toBe(at(60))
  })

  test('and the last claim when nothing happened since', () => {
    expect(updatedAt(new Story().found)).toBe(at(1))
  })
})

function titled(story: Story): void {
  const { backend } = story.authors
  const body = { field: 'name', value: 'New' }
  const about = story.projectId
  story.say(backend.under(story.claims.backend ?? story.founding, { kind: 'title', about, at: at(60), body }))
}
