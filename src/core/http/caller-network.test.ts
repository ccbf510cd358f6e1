import { expect, test } from 'vitest'
import { getCallerNetwork } from './caller-network.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '::/64'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['192.0.2.1:4711', '192.0.2.1:4711'],
  ['fe80::1%eth0', 'fe80::/64'],
])('attempts from %s count for %s', (address, network) => {
  expect(getCallerNetwork(address)).toBe(network)
})
