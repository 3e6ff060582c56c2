import type { Statement } from '../../../src/domain/statements/statement.ts'
import { at } from './at.ts'
import { Author } from './author.ts'
import { Replica } from './replica.ts'

/** Three repositories in one project, which the backend founded. All claims are confirmed. */
export function openScene() {
  const backend = new Author('backend')
  const frontend = new Author('frontend')
  const mobile = new Author('mobile')
  const founding = backend.found(at(0))
  const project = founding.project_id
  const claims = {
    backend: backend.claim(project, 'backend', at(1)),
    frontend: frontend.claim(project, 'frontend', at(2)),
    mobile: mobile.claim(project, 'mobile', at(3)),
  }
  const names = ['backend', 'frontend', 'mobile'].map((name) => backend.nameRepo(founding, name, at(0, 1)))
  const confirmations = Object.values(claims).map((claim) => backend.confirm(founding, claim, at(4)))
  const story: Statement[] = [founding, ...names, ...Object.values(claims), ...confirmations]
  const replica = new Replica().hearAll(story)
  const repos = {
    backend: claims.backend.about,
    frontend: claims.frontend.about,
    mobile: claims.mobile.about,
  }
  return { backend, frontend, mobile, founding, project, claims, repos, story, replica }
}
