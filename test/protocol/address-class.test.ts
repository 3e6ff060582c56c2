import { describe, expect, test } from 'vitest'
import { type AddressClass, classOfAddress, classOfHost } from '../../src/protocol/address-class.ts'

describe('the class of an address', () => {
  test.each<[AddressClass, readonly string[]]>([
    [
      'loopback',
      ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
    ],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.0.2.2', '198.19.255.255']],
    [
      'private',
      ['100.64.0.1', '100.127.255.255', '::ffff:10.1.2.3', 'fc00::1', 'fd12::1', 'fd00::2', 'fec0::1'],
    ],
    [
      'public',
      ['1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.255.255', '100.128.0.1', '169.253.1.1', '126.1.1.1'],
    ],
    ['public', ['2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1']],
    ['never', ['0.0.0.0', '0.1.2.3', '::', '255.255.255.255', '240.0.0.1', '224.0.0.1', 'ff02::1']],
    [
      'never',
      ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1', '::ffff:169.254.169.254'],
    ],
    ['never', ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254']],
    ['never', ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::', '2002:a00:1::1', '2001:0:1::1']],
    ['never', ['::127.0.0.1', '::7f00:1', '64:ff9b:1::1', '4000::1', '100::1']],
    ['never', ['', 'localhost', '256.1.1.1', '1.2.3', '1.2.3.4.5', 'fe80', ':::', '1::2::3', '127.0.0.1 ']],
  ])('is %s for %j', (expected, addresses) => {
    for (const address of addresses) expect([address, classOfAddress(address)]).toEqual([address, expected])
  })
})

describe('the class of the host of a URL', () => {
  test.each([
    ['http://2130706433/', 'loopback'],
    ['http://0x7f000001/', 'loopback'],
    ['http://0x7f.1/', 'loopback'],
    ['http://0177.0.0.1/', 'loopback'],
    ['http://017700000001/', 'loopback'],
    ['http://127.1/', 'loopback'],
    ['http://127.0.0.1./', 'loopback'],
    ['http://user:secret@127.0.0.1/', 'loopback'],
    ['http://evil.example@127.0.0.1/', 'loopback'],
    ['http://[::ffff:127.0.0.1]/', 'loopback'],
    ['http://[0:0:0:0:0:ffff:7f00:1]/', 'loopback'],
    ['http://１２７.０.０.１/', 'loopback'],
    ['http://①②⑦.0.0.1/', 'loopback'],
    ['http://LOCALHOST/', 'loopback'],
    ['http://localhost./', 'loopback'],
    ['http://a.localhost/', 'loopback'],
    ['http://0/', 'never'],
    ['http://[::]/', 'never'],
    ['http://2852039166/', 'never'],
    ['http://0xa9fea9fe/', 'never'],
    ['http://[::ffff:a9fe:a9fe]/', 'never'],
    ['http://[fe80::1]/', 'never'],
    ['http://3232235777/', 'private'],
    ['http://0xa.1/', 'private'],
    ['http://16843009/', 'public'],
    ['http://127.0.0.1.nip.example/', undefined],
    ['http://localhost.evil.example/', undefined],
    ['http://example.com/', undefined],
  ])('%s is %s', (url, expected) => {
    expect(classOfHost(new URL(url).hostname)).toBe(expected)
  })

  test('a zone does not get into a URL', () => {
    expect(URL.canParse('http://[fe80::1%25eth0]/')).toBe(false)
  })
})
