import { z } from 'zod'
import { webUrlSetting } from '#contract/setting-fields.ts'

export const rdapSettings = {
  RDAP_BOOTSTRAP_URL: webUrlSetting.default('https://data.iana.org/rdap/dns.json'),
  RDAP_IP_BOOTSTRAP_URL: webUrlSetting.default('https://data.iana.org/rdap/ipv4.json'),
  WHOIS_SERVER: z
    .string()
    .regex(/^[\w.-]+:\d{1,5}$/, 'must be a host and a port such as whois.iana.org:43')
    .default('whois.iana.org:43'),
}
