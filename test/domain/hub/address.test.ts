import { expect, test } from 'vitest'
import { callSubject, hubEndpointOf } from '../../../src/domain/hub/subject.ts'
import { hubAddressIn, isHubEndpoint } from '../../../src/protocol/hub-address.ts'

test.each(['aid://example.com/frontend@1.0.0', 'agent', 'Änne & =Söhne=', 'a.b*c>d'])(
  '%s is found again in its address on the hub',
  (agentId) => {
    const endpoint = hubEndpointOf(agentId) ?? ''
    expect(isHubEndpoint(endpoint)).toBe(true)
    expect(hubAddressIn(`${endpoint}/files/abc?x=1`)).toEqual({ agentId, path: '/files/abc?x=1' })
    expect(hubAddressIn(endpoint)).toEqual({ agentId, path: '/' })
    expect(callSubject('acme', agentId)).toMatch(/^cacp\.acme\.call\.[A-Za-z0-9_=-]+$/)
  },
)

test('an agent whose name is too long for a subject has no address there', () => {
  expect(hubEndpointOf('ä'.repeat(100))).toBeUndefined()
})

test.each(['http://127.0.0.1:8080', 'hub:', 'hub:a b', 'hub:=ZZ', 'hub:=FF', 'hub:a.b', 'hub:__proto__'])(
  '%s is no address on the hub',
  (url) => {
    expect(hubAddressIn(url)).toBeUndefined()
  },
)
