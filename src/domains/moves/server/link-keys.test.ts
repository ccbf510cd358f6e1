import { expect, test } from 'vitest'
import { accountKeys, spammerKeys, toLinkDomain } from './link-keys.ts'

test('an account and a spammer are found by an email at an international domain, however either system writes it [EDGE-05]', () => {
  const ids = [{ name: 'email', value: 'info@xn--mller-kva.example' }]
  for (const email of ['info@m\u00fcller.example', 'INFO@M\u00dcLLER.example', 'Info@xn--mller-kva.example']) {
    expect(accountKeys('ann', email).ids, email).toEqual(ids)
    expect(spammerKeys(null, email).ids, email).toEqual(ids)
  }
  expect(accountKeys('ann', 'no address').ids).toEqual([{ name: 'email', value: 'no address' }])
})

test.each<[string, string | null]>([
  ['https://www.acme-plumbing.example/contact', 'acme-plumbing.example'],
  ...[
    'https://www.facebook.com/acmeplumbing',
    'https://fb.com/acmeplumbing',
    'https://fb.me/acmeplumbing',
    'https://m.me/acmeplumbing',
    'https://www.instagram.com/acmeplumbing',
    'https://x.com/acmeplumbing',
    'https://twitter.com/acmeplumbing',
    'https://www.tiktok.com/@acmeplumbing',
    'https://www.linkedin.com/company/acme',
    'https://www.youtube.com/@acme',
    'https://youtu.be/acme',
    'https://nextdoor.com/pages/acme',
    'https://www.bbb.org/us/tx/austin/profile/plumber/acme',
    'https://www.yelp.com/biz/acme',
    'https://www.yelp.ca/biz/acme',
    'https://www.yellowpages.com/austin-tx/mip/acme',
    'https://www.angi.com/companylist/acme',
    'https://www.thumbtack.com/tx/austin/plumbing/acme',
    'https://linktr.ee/acme',
    'https://g.page/acme',
    'https://maps.app.goo.gl/abc',
    'https://www.google.co.uk/maps/place/acme',
    'https://sites.google.com/view/acme',
    'https://maps.apple.com/place?acme',
    'https://bit.ly/acme',
    'https://wordpress.com/acme',
  ].map((address): [string, null] => [address, null]),
  // Their own names at a host that gives each business one.
  ['https://acme.business.site/', 'acme.business.site'],
  ['https://www.acme.godaddysites.com', 'acme.godaddysites.com'],
  ['https://acme.squarespace.com', 'acme.squarespace.com'],
  ['https://acme.weebly.com', 'acme.weebly.com'],
  ['https://acme.wixsite.com/home', 'acme.wixsite.com'],
  ['https://acme.wordpress.com', 'acme.wordpress.com'],
])('the address %s belongs to %s: a page at a host of many businesses tells of none [MOVE-03]', (address, domain) => {
  expect(toLinkDomain(address)).toBe(domain)
})
