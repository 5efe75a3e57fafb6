import { describe, expect, it } from 'vitest';
import { externalLink, isOwnUrl, loopbackLink } from '../../src/main/desktop/origin.ts';

describe('isOwnUrl', () => {
	it.each(['app://floor/', 'app://floor/index.html', 'app://floor/assets/x.js?v=1#agent=2'])(
		'%s is ours',
		(url) => {
			expect(isOwnUrl(url)).toBe(true);
		},
	);

	it.each([
		'app://floor.evil.example/',
		'app://evil@floor/',
		'app://floor:80/',
		'app:///floor/',
		'APP-X://floor/',
		'http://floor/',
		'file:///floor/index.html',
		'javascript:app://floor/',
		'data:text/html,app://floor/',
		'about:blank',
		'floor',
		'',
	])('%s is not', (url) => {
		expect(isOwnUrl(url)).toBe(false);
	});
});

describe('externalLink', () => {
	it('lets listed hosts through, over https only', () => {
		expect(externalLink('https://docs.claude.com/en/docs')).toBe('https://docs.claude.com/en/docs');
	});

	it.each([
		'http://docs.claude.com/',
		'https://docs.claude.com.evil.example/',
		'https://evil.example/docs.claude.com',
		'https://docs.claude.com@evil.example/',
		'https://someone@docs.claude.com/',
		'https://docs.claude.com:8443/',
		'file:///etc/passwd',
		'javascript:alert(1)',
		'smb://docs.claude.com/share',
		'not an address',
	])('refuses %s', (url) => {
		expect(externalLink(url)).toBeNull();
	});
});

describe('loopbackLink', () => {
	it.each(['http://127.0.0.1:47100/?token=t', 'http://[::1]:47100/', 'http://localhost:1/'])(
		'opens %s',
		(url) => {
			expect(loopbackLink(url)).toBe(url);
		},
	);

	it.each(['http://127.0.0.1.evil.example/', 'https://127.0.0.1/', 'http://10.0.0.1/', 'file:///x', ''])(
		'refuses %s',
		(url) => {
			expect(loopbackLink(url)).toBeNull();
		},
	);
});
