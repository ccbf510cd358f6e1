import { expect, test } from 'vitest'
import { parseWhois } from './whois.ts'

const known = { registrar: 'Names Ltd', nameservers: ['ns1.names.example', 'ns2.names.example'] }
const days = { registered_on: '1999-11-05', expires_on: '2027-08-31' }

/** As the registries write, of domains that do not exist. */
test.each([
  [
    '.fi, dots behind a name',
    `domain.............: acme.fi
created............: 5.11.1999 00:00:00
expires............: 31.8.2027 00:00:00
RegistryLock.......: no

Nameservers

nserver............: ns1.names.example [OK]
nserver............: ns2.names.example [OK]

Holder

name...............: Acme Oy

Registrar

registrar..........: Names Ltd
www................: names.example
`,
    { ...known, ...days, registrant: 'Acme Oy' },
  ],
  [
    '.uk, values under their names',
    `
    Domain name:
        acme.co.uk

    Registrar:
        Names Ltd [Tag = NAMES]
        URL: https://names.example

    Relevant dates:
        Registered on: 05-Nov-1999
        Expiry date:  31-Aug-2027
        Last updated:  01-Aug-2026

    Name servers:
        ns1.names.example
        ns2.names.example         203.0.113.9

    WHOIS lookup made at 10:00:00 01-Nov-2026
`,
    { ...known, ...days, registrant: null },
  ],
  [
    '.pl, name servers on lines of their own',
    `DOMAIN NAME:           acme.pl
registrant type:       organization
nameservers:           ns1.names.example. [203.0.113.9]
                       ns2.names.example. [203.0.113.10]
created:               1999.11.05 12:00:00
last modified:         2026.08.01 10:11:12
renewal date:          2027.08.31 14:00:00

dnssec:                Unsigned

REGISTRAR:
Names Ltd
ul. Prosta 1
tel: +48 22 000 00 00
`,
    { ...known, ...days, registrant: null },
  ],
  [
    '.eu, which tells no days',
    `% The WHOIS service
Domain: acme.eu
Script: LATIN

Registrant:
        NOT DISCLOSED!
        Visit www.eurid.eu for the web-based WHOIS.

Registrar:
        Name: Names Ltd
        Website: https://names.example

Name servers:
        ns1.names.example
        ns2.names.example

Please visit www.eurid.eu for more info.
`,
    { ...known, registered_on: null, expires_on: null, registrant: 'NOT DISCLOSED!' },
  ],
  [
    '.it, headings without a mark',
    `Domain:             acme.it
Status:             ok
Created:            1999-11-05 00:00:00
Expire Date:        2027-08-31

Registrant
  Organization:     Acme Srl

Registrar
  Organization:     Names Ltd
  Name:             NAMES-REG

Nameservers
  ns1.names.example
  ns2.names.example
`,
    { ...known, ...days, registrant: 'Acme Srl' },
  ],
  [
    '.no, which tells no end',
    `NORID Handle...............: ACM1D-NORID
Domain Name................: acme.no
Registrar Handle...........: REG1-NORID
Name Server Handle.........: NS1H-NORID

Additional information:
Created:         1999-11-05
Last updated:    2026-11-05
`,
    { registrar: 'REG1-NORID', registrant: null, registered_on: '1999-11-05', expires_on: null, nameservers: [] },
  ],
  [
    '.be',
    `Domain:\tacme.be
Registered:\tFri Nov 5 1999

Registrant:
\tNot shown, please visit the registry for webbased whois.

Registrar:
\tName:\t Names Ltd
\tWebsite: https://names.example

Nameservers:
\tns1.names.example
\tns2.names.example

Keys:
`,
    { ...known, registered_on: '1999-11-05', expires_on: null, registrant: expect.stringMatching(/^Not shown/) },
  ],
])('a WHOIS answer of %s is read [NS-29]', (_, text, registration) => {
  expect(parseWhois(text)).toEqual(registration)
})

test('a name without a value takes none of the next name’s', () => {
  const text = 'Registrant Name:\nRegistrant Organization:\nRegistrar:\nRegistrar URL: https://a.example\nOrg: Acme\n'
  expect(parseWhois(text)).toMatchObject({ registrar: null, registrant: 'Acme' })
})
